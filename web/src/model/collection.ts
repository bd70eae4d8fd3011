/** A file of many games: each is reviewed, and there is a summary of each player. */
import { computed, signal } from "@preact/signals";
import type { RecordDoc, ReviewDoc, ReviewSideDoc } from "../engine/schema";
import { fromRecord, mainLineFrom, moveTexts } from "./document";
import { Refused } from "../engine/engine";
import { effort, nodesOf, winnerOf } from "./reviewing";
import { complain, engine } from "./store";
import { Task } from "./task";

export interface CollectedGame {
  number: number;
  record: RecordDoc | null;
  moves: readonly string[];
  review: ReviewDoc | null;
  trouble: string | null;
}
export const games = signal<readonly CollectedGame[]>([]);
const task = new Task();
export const running = task.running;

/** More games than anybody waits for. */
const MOST_GAMES = 2000;

/** The games of a file: the trees of an SGF collection, or the records of a contest. One if it is neither. */
export function split(file: Uint8Array): Uint8Array[] {
  // A character a byte, whatever the encoding: what holds games together is ASCII.
  const text = new TextDecoder("latin1").decode(file);
  const [open, close] = text.trimStart().startsWith("{") ? ["{", "}"] : ["(", ")"];
  if (!text.trimStart().startsWith(open)) return [file];
  const found: Uint8Array[] = [];
  let [depth, from, inValue] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\\" && inValue) i += 1;
    else if (c === "[" && !inValue) inValue = true;
    else if (c === "]") inValue = false;
    else if (inValue) continue;
    else if (c === open && depth++ === 0) from = i;
    else if (c === close && depth > 0 && --depth === 0) found.push(file.slice(from, i + 1));
  }
  return found.length > 0 ? found : [file];
}

/** Reads the games. Those that cannot be read say why. */
export async function open(texts: readonly Uint8Array[]): Promise<void> {
  task.stop();
  if (texts.length > MOST_GAMES) complain(`The file has ${texts.length} games: the first ${MOST_GAMES} are opened.`);
  const read: CollectedGame[] = [];
  for (const [i, text] of texts.slice(0, MOST_GAMES).entries()) {
    const empty = { number: i + 1, record: null, moves: [], review: null, trouble: null };
    try {
      const record = await engine().readRecord(text);
      read.push({ ...empty, record, moves: moveTexts(fromRecord(record)) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      read.push({ ...empty, trouble: error.message });
    }
  }
  games.value = read;
}

export const stop = () => task.stop();
export const leave = () => {
  task.stop();
  games.value = [];
};
export const reviewedCount = computed(() => games.value.filter((g) => g.review || g.trouble).length);

/** Reviews those that are not reviewed yet, one after the other. */
export function reviewAll(): void {
  void task.start(async (signal) => {
    for (const { number, record, review, trouble, moves } of games.value) {
      if (!record || review || trouble) continue;
      const request = {
        position: { game: record.game, start: record.start ?? null, moves: [...moves] }, winner: winnerOf(record.info?.result ?? ""),
        nodes: nodesOf(effort.value),
      };
      const set = (part: Partial<CollectedGame>) =>
        (games.value = games.value.map((g) => (g.number === number ? { ...g, ...part } : g)));
      try {
        set({ review: await engine().review(request, () => undefined, signal) });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        set({ trouble: error.message });
      }
    }
  });
}

export interface PlayerSummary {
  name: string;
  games: number;
  won: number;
  moves: number;
  /** The average of what a move lost, 0 to 1. */
  loss: number;
  blunders: number;
  mistakes: number;
  missed: number;
}

/** Each player of the reviewed games, those with most games first. */
export const players = computed(() => {
  const found = new Map<string, PlayerSummary>();
  for (const { record, review } of games.value) {
    if (!record || !review) continue;
    for (const side of ["black", "white"] as const) {
      const name = record.info?.[side] || "?";
      const of: ReviewSideDoc = review[side];
      const was = found.get(name) ?? { name, games: 0, won: 0, moves: 0, loss: 0, blunders: 0, mistakes: 0, missed: 0 };
      const moves = was.moves + of.moves;
      found.set(name, {
        name, games: was.games + 1, won: was.won + Number(review.winner === side), moves,
        loss: moves === 0 ? 0 : (was.loss * was.moves + of.average_loss * of.moves) / moves,
        blunders: was.blunders + of.blunders, mistakes: was.mistakes + of.mistakes, missed: was.missed + of.missed_wins,
      });
    }
  }
  return [...found.values()].sort((a, b) => b.games - a.games || a.loss - b.loss);
});

/** Its last position, as after reading a game. */
export function docOfGame(record: RecordDoc) {
  const read = fromRecord(record);
  const end = mainLineFrom(read, 0).at(-1);
  return end ? { ...read, at: end.id } : read;
}
