/** A review of a game. */
export function ReviewPanel() {
  return <section class="stack" aria-label="Review"><h2>Review</h2></section>;
}
