/** What there is to see of the position that is shown, and what the engine makes of it. */
import { computed, effect, signal, untracked } from "@preact/signals";
import type { PlayProgress, PositionDoc, SolveDoc, StandDoc } from "../engine/schema";
import { specAt } from "./document";
import { lineOf } from "./link";
import { complain, doc, engine, tab, view } from "./store";
import { Task } from "./task";

/** Threats, defences and cells of the position that is shown. */
export const seen = signal<PositionDoc | null>(null);

/** What the engine thinks, while it thinks. */
export const live = signal<PlayProgress | null>(null);
export const wantLive = signal(false);
const liveTask = new Task();
export const liveRunning = liveTask.running;

/** Forced wins of the position that is shown: of the side to move, then of the other. */
export const forced = signal<readonly SolveDoc[]>([]);
const forcedTask = new Task();
export const forcedRunning = forcedTask.running;

/** How each position of the line stands, by the number of moves. */
export const stands = signal<{ line: string; of: ReadonlyMap<number, StandDoc> }>({ line: "", of: new Map() });
const standsTask = new Task();
export const standsRunning = standsTask.running;

export const line = computed(() => lineOf(doc.value));

/** Milliseconds for each look for a forced win. */
const FORCED_MS = 1500;
/** Milliseconds that the engine thinks aloud about one position. */
const LIVE_MS = 60_000;

export function evaluateGame(): void {
  const { moves } = line.value;
  const key = moves.join(" ");
  stands.value = { line: key, of: new Map() };
  void standsTask.start(async (signal) => {
    const position = { ...specAt(doc.value, 0), moves };
    const add = (stand: StandDoc) => {
      if (stands.value.line === key) stands.value = { line: key, of: new Map(stands.value.of).set(stand.after, stand) };
    };
    (await engine().evaluate({ position }, add, signal)).positions.forEach(add);
  });
}

export const stopEvaluation = () => standsTask.stop();

export function watchPosition(): void {
  // What can be seen at once, in every part of the page that shows the document.
  let latest = 0;
  effect(() => {
    const [d, number] = [doc.value, ++latest];
    engine().position(specAt(d, d.at)).then(
      (found) => number === latest && (seen.value = found),
      (error: unknown) => number === latest && ((seen.value = null), complain(error)),
    );
  });
  const key = computed(() => JSON.stringify(specAt(doc.value, doc.value.at)));
  effect(() => {
    const wanted = tab.value === "analyse" && view.value.toPlace > 0 && view.value.stones > 0;
    void key.value;
    untracked(() => {
      forcedTask.stop();
      forced.value = [];
      if (!wanted) return;
      const d = doc.value;
      void forcedTask.start(async (signal) => {
        const position = specAt(d, d.at);
        for (const attacker of [view.value.toMove, view.value.toMove === "black" ? "white" : "black"]) {
          for (const kind of ["vcdt", "vcst"]) {
            const request = { position, attacker, class: kind, time_ms: FORCED_MS };
            const found = await engine().solve(request, () => undefined, signal);
            if (found.verdict !== "win") continue;
            forced.value = [...forced.value, found];
            break;
          }
        }
      });
    });
  });
  effect(() => {
    const wanted = wantLive.value && tab.value === "analyse" && view.value.toPlace > 0;
    void key.value;
    untracked(() => {
      liveTask.stop();
      live.value = null;
      if (!wanted) return;
      const d = doc.value;
      void liveTask.start(async (signal) => {
        const request = { position: specAt(d, d.at), time_ms: LIVE_MS, moves: 8 };
        const done = await engine().analyse(request, (p) => (live.value = p), signal);
        const best = done.choices[0];
        if (!best) return;
        live.value = {
          depth: best.depth, nodes: best.nodes, elapsed_ms: live.value?.elapsed_ms ?? 0, score: best.score,
          black_chance: best.black_chance, status: best.status, line: best.line,
          candidates: done.choices.map((c) => ({ move: c.move, score: c.score, black_chance: c.black_chance })),
        };
      });
    });
  });
}
