/** The puzzle of the day, the days in a row on which it was solved, and ratings. All kept in this browser. */
import { computed, signal } from "@preact/signals";
import type { Puzzle } from "../engine/schema";
import { keep, read } from "./store";

const KEY = "lambda6.training";

interface Training {
  rating: number;
  /** Puzzles whose first try has counted. */
  rated: string[];
  /** The last day whose puzzle was solved, and the days in a row up to it. */
  day: string;
  days: number;
  most: number;
  /** Puzzles in a row that were solved at the first try. */
  row: number;
}

const BEGIN: Training = { rating: 1000, rated: [], day: "", days: 0, most: 0, row: 0 };
export const training = signal<Training>({ ...BEGIN, ...read<Partial<Training>>(KEY) });
const change = (part: Partial<Training>) => {
  training.value = { ...training.value, ...part };
  keep(KEY, training.value);
};

const DAY_MS = 86_400_000;
/** The number of a day in this place's own time. */
const dayNumber = (date: Date): number => Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / DAY_MS);
const nameOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
export const today = (): string => nameOf(dayNumber(new Date()));

/** Easy on Monday, hard on Sunday. */
const GRADES = [1, 1, 2, 2, 3, 3, 4];

/** The puzzle of a day: the same for everybody who has the same puzzles. */
export function dailyOf(puzzles: readonly Puzzle[], date = new Date()): Puzzle | null {
  const day = dayNumber(date);
  // The first day of the count was a Thursday.
  const grade = GRADES[(day + 3) % 7];
  const fitting = puzzles.filter((p) => p.grade === grade);
  const from = fitting.length > 0 ? fitting : puzzles;
  // A step that shares no factor with small numbers visits all before one comes again.
  return from[(day * 7919) % from.length] ?? null;
}

/** The days in a row that still count: up to today or yesterday. */
export const streak = computed(() => {
  const { day, days } = training.value;
  const yesterday = nameOf(dayNumber(new Date()) - 1);
  return day === today() || day === yesterday ? days : 0;
});

export const isSolvedToday = computed(() => training.value.day === today());

/** The puzzle of the day was solved. */
export function solvedDaily(): void {
  if (isSolvedToday.value) return;
  const days = streak.value + 1;
  change({ day: today(), days, most: Math.max(days, training.value.most) });
}

/** How hard a puzzle is: by what the solver needs for it, and the length of its win. */
export const ratingOf = (p: Puzzle): number => 600 + 230 * p.grade + 35 * p.length;

/** Counts the first try of a puzzle. */
export function rate(p: Puzzle, solved: boolean): void {
  const { rating, rated, row } = training.value;
  if (rated.includes(p.id)) return;
  const expected = 1 / (1 + 10 ** ((ratingOf(p) - rating) / 400));
  const step = rated.length < 15 ? 60 : 28;
  change({
    rating: Math.round(rating + step * (Number(solved) - expected)), rated: [...rated, p.id], row: solved ? row + 1 : 0,
  });
}
