/** A puzzle under way. */
import { computed, signal } from "@preact/signals";
import type { JudgeDoc, Puzzle } from "../engine/schema";
import { type Side, CONNECT6, gameText, moveName, other, parseGame, parseMove, rowThrough, stoneOf } from "./game";
import { announcement, complain, engine, keep, pending, read } from "./store";
import { Task } from "./task";
import { dailyOf, rate, solvedDaily } from "./training";

const KEY = "lambda6.puzzles";

interface Kept {
  solved: string[];
  /** The puzzle under way. */
  at: string | null;
  /** The set that is listed. */
  set?: PuzzleSet;
  /** The theme that is listed; all if empty. */
  theme?: string;
}

/** Sets of puzzles, by the stones of a move. */
export type PuzzleSet = "connect6" | "go-moku";
const setOf = (p: Puzzle): PuzzleSet => (parseGame(p.game)?.p === 1 ? "go-moku" : "connect6");

const kept = signal<Kept>(read<Kept>(KEY) ?? { solved: [], at: null });
const change = (part: Partial<Kept>) => {
  kept.value = { ...kept.value, ...part };
  keep(KEY, kept.value);
};

const all = signal<readonly Puzzle[]>([]);
export const set = computed<PuzzleSet>(() => kept.value.set ?? "connect6");
const ofSet = computed(() => all.value.filter((p) => setOf(p) === set.value));
/** The themes of the set. */
export const themes = computed(() => [...new Set(ofSet.value.map((p) => p.theme))]);
export const theme = computed(() => (themes.value.includes(kept.value.theme ?? "") ? (kept.value.theme ?? "") : ""));
/** The puzzles that are listed. */
export const puzzles = computed(() => ofSet.value.filter((p) => theme.value === "" || p.theme === theme.value));
/** Those of the set that are solved. */
export const solved = computed(() => new Set(puzzles.value.filter((p) => kept.value.solved.includes(p.id)).map((p) => p.id)));
/** Moves played since the puzzle's position; `-` and short moves where the other stones can be anywhere. */
export const played = signal<readonly string[]>([]);
export const verdict = signal<JudgeDoc | null>(null);
/** The solver's line, when it was asked for. */
export const solution = signal<readonly string[] | null>(null);
const task = new Task();
export const judging = task.running;

export const puzzle = computed(() => ofSet.value.find((p) => p.id === kept.value.at) ?? null);

/** The puzzle that an address asks for, until the puzzles are there. */
let wished: string | null = null;

export function wish(id: string): void {
  if (puzzle.value?.id === id) return;
  wished = id;
  if (all.value.length > 0) grant();
}

function grant(): boolean {
  const found = all.value.find((p) => p.id === wished);
  wished = null;
  if (found) choose(found);
  return found !== undefined;
}

export async function loadPuzzles(): Promise<void> {
  if (all.value.length > 0) return;
  try {
    all.value = (await engine().puzzles()).puzzles;
    if (!grant() && !puzzle.value) chooseFirst();
  } catch (error) {
    complain(error);
  }
}

/** The puzzle of the day is one of Connect6. */
export const daily = computed(() => dailyOf(all.value.filter((p) => setOf(p) === "connect6")));

const chooseFirst = () => choose(puzzles.value.find((p) => !solved.value.has(p.id)) ?? puzzles.value[0] ?? null);

export function chooseTheme(next: string): void {
  change({ theme: next });
  chooseFirst();
}

export function chooseSet(next: PuzzleSet): void {
  change({ set: next });
  chooseFirst();
}

/** The game of the puzzle. */
export const game = computed(() => (puzzle.value && parseGame(puzzle.value.game)) ?? CONNECT6);

export function choose(next: Puzzle | null): void {
  task.stop();
  helped = false;
  change(next ? { at: next.id, set: setOf(next) } : { at: null });
  again();
}

export function again(): void {
  task.stop();
  pending.value = [];
  played.value = [];
  verdict.value = null;
  solution.value = null;
}

export function next(): void {
  const list = puzzles.value;
  const from = list.findIndex((p) => p.id === puzzle.value?.id);
  const rest = [...list.slice(from + 1), ...list.slice(0, from)];
  choose(rest.find((p) => !solved.value.has(p.id)) ?? rest[0] ?? null);
}

/** The board of the puzzle with what was played since. */
export const board = computed(() => {
  const { value: g } = game;
  const cells = new Uint8Array(g.m * g.n);
  let toMove: Side = "black";
  let last: readonly number[] = [];
  let row: readonly number[] = [];
  for (const text of [...(puzzle.value?.moves ?? []), ...played.value]) {
    last = parseMove(g, text) ?? [];
    for (const s of last) {
      cells[s] = stoneOf(toMove);
      row = rowThrough(g, cells, s) ?? row;
    }
    toMove = other(toMove);
  }
  return { game: g, cells, toMove, last, row };
});

const spec = () => ({ game: gameText(game.value), moves: [...(puzzle.value?.moves ?? []), ...played.value] });

/** The user's move: judged, and answered or refuted on the board. */
export function attempt(squares: readonly number[]): void {
  const move = moveName(game.value, squares);
  const position = spec();
  played.value = [...played.value, move];
  void task.start(async (signal) => {
    const said = await engine().judge({ position, move, theme: puzzle.value?.theme ?? null }, signal);
    verdict.value = said;
    announcement.value = said.message;
    const { value: p } = puzzle;
    if (p && said.verdict === "solved") {
      rate(p, true);
      if (p.id === daily.value?.id && !helped) solvedDaily();
      change({ solved: [...new Set([...kept.value.solved, p.id])] });
    }
    if (p && said.verdict === "wrong") rate(p, false);
    if (said.reply !== null && said.reply !== undefined) played.value = [...played.value, said.reply];
  });
}

/** Whether the solution was shown. */
let helped = false;

/** Back to before a move that was refuted. */
export function retry(): void {
  played.value = played.value.slice(0, verdict.value?.reply ? -2 : -1);
  verdict.value = null;
}

export function showSolution(): void {
  again();
  helped = true;
  if (puzzle.value) rate(puzzle.value, false);
  void task.start(async (signal) => {
    const { value: p } = puzzle;
    if (p?.theme === "defence") {
      // The move that no win refutes.
      const found = await engine().verify({ position: spec(), class: p.class, each_ms: 2000 }, () => undefined, signal);
      solution.value = found.open.slice(0, 1);
      return;
    }
    const found = await engine().solve({ position: spec(), class: p?.class ?? "vcst" }, () => undefined, signal);
    solution.value = found.line;
  });
}

/** Shows so many moves of the solution. */
export function stepSolution(count: number): void {
  played.value = (solution.value ?? []).slice(0, count);
}
