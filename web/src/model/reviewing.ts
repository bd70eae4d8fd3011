/** The review of the game on the board: who stood better where, the mistakes, the missed wins. */
import { computed, signal } from "@preact/signals";
import type { RecordDoc, ReviewDoc, ReviewedMove, ReviewedPosition } from "../engine/schema";
import { line } from "./analysis";
import { type Doc, makeMain, specAt, toRecord } from "./document";
import { announcement, doc, engine, keep, read } from "./store";
import { Task } from "./task";

/** A review under way, or ended. */
export interface Reviewing {
  /** The moves of the game. */
  key: string;
  done: number;
  total: number;
  positions: ReadonlyMap<number, ReviewedPosition>;
  moves: ReadonlyMap<number, ReviewedMove>;
  /** What there is to say in the end. */
  review: ReviewDoc | null;
}

const KEY = "lambda6.review";
/** Longer reviews are not kept over a reload. */
const MOST_KEPT = 1_000_000;
const task = new Task();
export const running = task.running;
const latest = signal<Reviewing | null>(restore());

/** The moves that were mistakes, by how bad they were. */
export const GRADES: Readonly<Record<string, number>> = { inaccuracy: 1, mistake: 2, blunder: 3 };

/** Positions searched for each position, by how thorough the review is. */
export const EFFORTS = [["quick", 2_000], ["thorough", 10_000], ["deep", 60_000]] as const;
export const effort = signal<string>(read<string>("lambda6.effort") ?? "thorough");
export function chooseEffort(name: string): void {
  effort.value = name;
  keep("lambda6.effort", name);
}
export const nodesOf = (name: string): number => EFFORTS.find(([known]) => known === name)?.[1] ?? 10_000;

const keyOf = (moves: readonly string[], d: Doc) => JSON.stringify([specAt(d, 0), moves]);

/** The review of the game that is shown. */
export const reviewed = computed(() => {
  const now = latest.value;
  return now && now.key === keyOf(line.value.moves, doc.value) ? now : null;
});

function ofDoc(key: string, review: ReviewDoc): Reviewing {
  const { positions, moves = [] } = review;
  const count = positions.length;
  return { key, done: count, total: count, positions: new Map(positions.map((p) => [p.after, p])), moves: new Map(moves.map((m) => [m.number, m])), review };
}

function restore(): Reviewing | null {
  const kept = read<{ key: string; review: ReviewDoc }>(KEY);
  return kept && ofDoc(kept.key, kept.review);
}

/** The side that won by the record, where the moves do not show it. */
export function winnerOf(result: string): string | null {
  return result.startsWith("B+") ? "black" : result.startsWith("W+") ? "white" : null;
}

/** Shows a review that was made elsewhere on the page, of the game that is shown. */
export function show(review: ReviewDoc): void {
  latest.value = ofDoc(keyOf(line.value.moves, doc.value), review);
}

/** Reviews the game that is shown; goes on with what an earlier, stopped review of it has found. */
export function start(): void {
  const { moves } = line.value;
  const key = keyOf(moves, doc.value);
  const before = reviewed.value?.review ? null : reviewed.value;
  let now: Reviewing = { key, done: 0, total: moves.length + 1, positions: before?.positions ?? new Map(), moves: before?.moves ?? new Map(), review: null };
  latest.value = now;
  const request = {
    position: { ...specAt(doc.value, 0), moves }, winner: winnerOf(doc.value.info.result ?? ""), nodes: nodesOf(effort.value),
    known: [...now.positions.values()],
  };
  void task.start(async (signal) => {
    const review = await engine().review(request, (p) => {
      const [positions, judged] = [new Map(now.positions), new Map(now.moves)];
      p.positions.forEach((position) => positions.set(position.after, position));
      p.moves.forEach((move) => judged.set(move.number, move));
      now = { ...now, done: p.done, total: p.total, positions, moves: judged };
      latest.value = now;
    }, signal);
    latest.value = ofDoc(key, review);
    announcement.value = `Reviewed: ${review.mistakes?.length ?? 0} mistakes`;
    const kept = { key, review };
    keep(KEY, JSON.stringify(kept).length < MOST_KEPT ? kept : null);
  });
}

export const stop = () => task.stop();

/** The record with the review in it: comments, marks, and what was better as variations. */
export async function annotated(): Promise<RecordDoc | null> {
  const review = reviewed.value?.review;
  if (!review) return null;
  const end = line.value.ids.at(-1) ?? 0;
  return engine().reviewRecord({ review, record: toRecord(makeMain(doc.value, end)) });
}

export async function asPage(): Promise<Uint8Array | null> {
  const review = reviewed.value?.review;
  if (!review) return null;
  const end = line.value.ids.at(-1) ?? 0;
  return engine().reviewPage({ review, record: toRecord(makeMain(doc.value, end)) });
}
