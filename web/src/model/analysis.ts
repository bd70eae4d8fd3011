/** What there is to see of the position that is shown, and what the engine makes of it. */
import { computed, effect, signal, untracked } from "@preact/signals";
import type { OutlookDoc, PlayProgress, PositionDoc, ProofDoc, SolveDoc, StandDoc } from "../engine/schema";
import { specAt } from "./document";
import { lineOf } from "./link";
import { complain, doc, engine, tab, view } from "./store";
import { Task } from "./task";

/** Threats, defences and cells of the position that is shown. */
export const seen = signal<PositionDoc | null>(null);

/** A move that the engine considers. */
export interface Candidate {
  move: string;
  score: number;
  black_chance: number;
  outlook?: OutlookDoc | null;
  line: readonly string[];
  proof?: ProofDoc | null;
}
export interface Live extends Omit<PlayProgress, "candidates" | "line"> {
  candidates: readonly Candidate[];
}

/** What the engine thinks, while it thinks. */
export const live = signal<Live | null>(null);
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

/** A line on the board: so many of its moves, which stay or go with the pointer. */
export const shownLine = signal<{ moves: readonly string[]; count: number; stays: boolean } | null>(null);

/** What proofs say of candidates, by their moves. */
export const settled = signal<ReadonlyMap<string, Candidate | "no proof">>(new Map());
const settleTask = new Task();
export const settling = signal<string | null>(null);

/** Looks for the proof of a win that the search sees after a move. */
export function settle(candidate: Candidate): void {
  const spec = specAt(doc.value, doc.value.at);
  const winner = candidate.outlook?.winner;
  if (!winner) return;
  settling.value = candidate.move;
  const position = { ...spec, moves: [...(spec.moves ?? []), candidate.move] };
  const say = (found: Candidate | "no proof") => (settled.value = new Map(settled.value).set(candidate.move, found));
  void settleTask.start(async (signal) => {
    const found = await engine().solve({ position, attacker: winner, class: "vcst", time_ms: SETTLE_MS }, () => undefined, signal);
    const { proof, line } = found;
    if (!proof) return void say("no proof");
    say({ ...candidate, proof, line: [candidate.move, ...line], outlook: { winner, proved: true, moves: proof.longest } });
  }).finally(() => (settling.value = null));
}

/** Milliseconds for the proof of what a search sees. */
const SETTLE_MS = 10_000;
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
      settleTask.stop();
      forced.value = [];
      settled.value = new Map();
      shownLine.value = null;
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
        const report = (p: PlayProgress) => {
          const candidates = p.candidates.map((c) => ({ ...c, line: c.move === p.line[0] ? p.line : [c.move] }));
          live.value = { ...p, candidates };
        };
        const done = await engine().analyse(request, report, signal);
        const best = done.choices[0];
        if (best) live.value = { ...best, elapsed_ms: live.value?.elapsed_ms ?? 0, candidates: done.choices };
      });
    });
  });
}
