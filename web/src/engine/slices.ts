/**
 * A long search in a worker, in slices: a worker hears nothing while it searches, so that a search which is to be
 * stopped and gone on with later has to come up for air. The engine keeps it from slice to slice.
 */
import type { SolveDoc, SolveProgress, SolveRequest } from "./schema";

/** Milliseconds of the first slice: as long as a stop may take to free the worker. */
const SLICE_MS = 1500;

/** Asks one slice; resolves when it has ended. */
export type Ask = (request: SolveRequest, progress: (p: SolveProgress) => void) => Promise<SolveDoc>;

export async function inSlices(whole: SolveRequest, ask: Ask, progress: (p: SolveProgress) => void, signal: AbortSignal): Promise<SolveDoc> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")), { once: true });
  });
  let left = whole.time_ms ?? 10_000;
  let length = SLICE_MS;
  let request = whole;
  for (;;) {
    const now = Math.min(left, length);
    let heard = false;
    const slice = ask({ ...request, time_ms: now }, (p) => {
      heard = true;
      if (!signal.aborted) progress(p);
    });
    const found = await Promise.race([slice, stopped]);
    left -= now;
    // What takes longer than a slice would begin again in each.
    if (!heard) length *= 2;
    if (found.why !== "time" || !found.resumable || left <= 0) return found;
    request = { ...whole, resume: true };
  }
}
