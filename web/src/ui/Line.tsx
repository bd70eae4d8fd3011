/** A line of moves that can be played through on the board, and put into the record. */
import { shownLine } from "../model/analysis";
import { playLine } from "../model/document";
import { parseMove } from "../model/game";
import { commit, doc, view } from "../model/store";
import { Icon } from "./icons";
import { Button } from "./parts";

/** Puts a line into the record as a variation. Moves that leave stones open end it. */
export function playOut(line: readonly string[]): void {
  const d = doc.value;
  const moves: number[][] = [];
  let empty = view.value.cells.filter((c) => c === 0).length;
  for (const text of line) {
    const squares = parseMove(d.game, text);
    const whole = squares && squares.length === Math.min(d.game.p, empty);
    const ends = squares && squares.length > 0 && text === line.at(-1);
    if (!squares || !(whole || ends || (view.value.stones === 0 && moves.length === 0))) break;
    moves.push(squares);
    empty -= squares.length;
  }
  const after = playLine(d, moves);
  // Shown from where it began: the next moves are one key away.
  commit({ ...after, at: d.at });
  shownLine.value = null;
}

export function Line({ moves, label = "Line" }: { moves: readonly string[]; label?: string }) {
  const now = shownLine.value;
  const count = now?.stays && now.moves.join() === moves.join() ? now.count : 0;
  const show = (n: number) => (shownLine.value = n <= 0 ? null : { moves, count: Math.min(n, moves.length), stays: true });
  // A pointer over the line shows all of it, unless it is being played through.
  const enter = () => {
    if (!now?.stays) shownLine.value = { moves, count: moves.length, stays: false };
  };
  const leave = () => {
    if (!now?.stays) shownLine.value = null;
  };
  return (
    <div class="line" role="group" aria-label={label}>
      <p class="moves" onMouseEnter={enter} onMouseLeave={leave}>
        {moves.map((move, i) => (
          <button key={i} type="button" class="step" aria-pressed={i < count} onClick={() => show(i + 1)}>{move}</button>
        ))}
      </p>
      <div class="row">
        <Button class="icon-button" aria-label="One move back in the line" disabled={count === 0} onClick={() => show(count - 1)}><Icon name="back" /></Button>
        <Button class="icon-button" aria-label="Next move of the line" disabled={count === moves.length} onClick={() => show(count + 1)}><Icon name="forward" /></Button>
        <Button onClick={() => playOut(moves)}>Put the line on the board</Button>
      </div>
    </div>
  );
}
