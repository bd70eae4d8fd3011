/** The state that the whole page shares, and what of it outlives a reload. */
import { computed, effect, signal } from "@preact/signals";
import type { About } from "../engine/schema";
import { Engine, type Transport } from "../engine/engine";
import { type Doc, fromRecord, goTo, newDoc, node, toRecord, viewAt } from "./document";
import { linkTo } from "./link";
import { type Square, moveName, rowThrough, stoneOf } from "./game";

const KEYS = { doc: "lambda6.doc", shelf: "lambda6.shelf", settings: "lambda6.settings", pending: "lambda6.pending" };

let transport: Transport | null = null;
let made: Engine | null = null;

/** Says where the engine runs; before anything is asked. */
export function connect(to: Transport): void {
  transport = to;
}

export function engine(): Engine {
  if (!transport) throw new Error("no engine");
  made ??= new Engine(transport);
  return made;
}

export const about = signal<About | null>(null);

/** A message over the page. It fades; the same text again is another message. */
export interface Notice {
  text: string;
  good: boolean;
}
export const notice = signal<Notice | null>(null);

/** What a screen reader is told. */
export const announcement = signal("");

/** Says what went wrong. */
export function complain(error: unknown): void {
  notice.value = { text: error instanceof Error ? error.message : String(error), good: false };
}

/** Says what went well. */
export function tell(text: string): void {
  notice.value = { text, good: true };
}

/** What this tab has kept or, in a new one, what another tab kept last. */
export function read<T>(key: string): T | null {
  try {
    const text = sessionStorage.getItem(key) ?? localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** Keeps a value over a reload, for this tab, and for one that is opened later. Says whether there was room. */
function store(key: string, value: unknown): boolean {
  try {
    const text = JSON.stringify(value);
    sessionStorage.setItem(key, text);
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Keeps a value; says so when there is no room for it. */
export function keep(key: string, value: unknown): void {
  if (!store(key, value)) complain("The browser has no room to keep this. Save it to a file.");
}

// Settings.

export interface Settings {
  theme: "auto" | "light" | "dark";
  /** Send a move as soon as its last stone is placed. */
  quick: boolean;
  coordinates: boolean;
  showThreats: boolean;
  showCells: boolean;
  /** Show in a game how the engine judges it. */
  showEvaluation: boolean;
  /** Whose chances and scores are shown: of the side to move, or of one side. */
  view: "mover" | "black" | "white";
  /** The guide of a first visit was put away. */
  guided: boolean;
  /** What of it was tried. */
  tried: readonly string[];
}

const DEFAULTS: Settings = {
  theme: "auto", quick: false, coordinates: true, showThreats: true, showCells: false, showEvaluation: true, view: "mover",
  guided: false, tried: [],
};
export const settings = signal<Settings>({ ...DEFAULTS, ...read<Partial<Settings>>(KEYS.settings) });

export function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings.value = { ...settings.value, [key]: value };
  keep(KEYS.settings, settings.value);
}

// The document, with what can be undone.

interface Saved {
  record: ReturnType<typeof toRecord>;
  at: number;
}

const save = (d: Doc): Saved => {
  const record = toRecord(d);
  // The number that the shown node has in the record.
  const order: number[] = [];
  const stack = [0];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    order.push(id);
    stack.push(...[...node(d, id).children].reverse());
  }
  return { record, at: order.indexOf(d.at) };
};

const restore = (saved: Saved | null): Doc | null => {
  try {
    return saved && goTo(fromRecord(saved.record), saved.at);
  } catch {
    return null;
  }
};

export const doc = signal<Doc>(restore(read<Saved>(KEYS.doc)) ?? newDoc());
export const view = computed(() => viewAt(doc.value, doc.value.at));

const MOST_UNDO = 200;
const past = signal<readonly Doc[]>([]);
const future = signal<readonly Doc[]>([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** What is being typed: all of it is undone at once. */
let typing: string | null = null;

/** Replaces the document by an edited one, which can be undone. Edits with the same `text` are one. */
export function commit(next: Doc, text: string | null = null): void {
  if (next === doc.value) return;
  const goesOn = text !== null && text === typing;
  typing = text;
  if (!goesOn && (next.nodes !== doc.value.nodes || next.info !== doc.value.info)) {
    past.value = [...past.value.slice(-MOST_UNDO), doc.value];
    future.value = [];
  }
  doc.value = next;
}

export function undo(): void {
  const last = past.value.at(-1);
  typing = null;
  if (!last) return;
  future.value = [...future.value, doc.value];
  past.value = past.value.slice(0, -1);
  doc.value = last;
}

export function redo(): void {
  const next = future.value.at(-1);
  typing = null;
  if (!next) return;
  past.value = [...past.value, doc.value];
  future.value = future.value.slice(0, -1);
  doc.value = next;
}

/** Shows another node. Not an edit. */
export function go(id: number): void {
  typing = null;
  doc.value = goTo(doc.value, id);
}

/** Counts the documents that were opened: tells them apart in the history of the browser. */
export const opened = signal(0);

/** Documents that another one took the place of, the latest first. */
export interface Shelved {
  name: string;
  saved: Saved;
}
const MOST_SHELVED = 8;
export const shelf = signal<readonly Shelved[]>(read<Shelved[]>(KEYS.shelf) ?? []);

/** Opens another document; the one before it goes to the shelf. */
export function open(next: Doc): void {
  const old = doc.value;
  opened.value += 1;
  if (old.nodes.size > 1) {
    const players = [old.info.black, old.info.white].filter((name) => name).join(" – ");
    const name = `${players || "Game"}, ${old.nodes.size - 1} moves, ${new Date().toLocaleString()}`;
    shelf.value = [{ name, saved: save(old) }, ...shelf.value].slice(0, MOST_SHELVED);
    keepShelf();
  }
  commit(next);
}

/** The oldest go when there is no room. */
function keepShelf(): void {
  while (!store(KEYS.shelf, shelf.value) && shelf.value.length > 0) shelf.value = shelf.value.slice(0, -1);
}

export function reopen(item: Shelved): void {
  const back = restore(item.saved);
  shelf.value = shelf.value.filter((other) => other !== item);
  keepShelf();
  if (back) open(back);
}

/** Keeps the document when nothing has happened for a moment, and when the page goes away. */
export function watchDocument(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    keep(KEYS.doc, save(doc.peek()));
  };
  effect(() => {
    void doc.value;
    clearTimeout(timer);
    timer = setTimeout(now, 250);
  });
  const atOnce = () => timer !== undefined && now();
  addEventListener("pagehide", atOnce);
  document.addEventListener("visibilitychange", atOnce);
}

export const link = computed(() => `${location.origin}${location.pathname}${linkTo(doc.value)}`);

// Stones that are placed but not sent.

export const pending = signal<readonly Square[]>([]);
let turned = "";

interface Waiting {
  key: string;
  stones: readonly Square[];
}

effect(() => {
  const stones = pending.value;
  if (turned !== "") keep(KEYS.pending, { key: turned, stones } satisfies Waiting);
});

/** The board shows this stage now: stones that were placed for it come back, others are put away. */
export function turnTo(key: string): void {
  if (key === turned) return;
  const kept = read<Waiting>(KEYS.pending);
  turned = key;
  pending.value = kept?.key === key ? kept.stones : [];
}

/** What the board is for at the moment: each part of the page has one. */
export interface Stage {
  /** Tells stages apart: stones that wait are put away when it changes. */
  key: string;
  doc: Doc | null;
  game: Doc["game"];
  cells: Uint8Array;
  toMove: "black" | "white";
  /** Stones of the next move; 0 when nothing can be placed. */
  toPlace: number;
  last: readonly Square[];
  row: readonly Square[];
  /** Whether a move waits to be confirmed. */
  confirm: boolean;
  /** Whether fewer stones than `toPlace` make a move. */
  partial?: boolean;
  /** What sending a move does; to play it if not given. */
  verb?: string;
  submit: (squares: readonly Square[]) => void;
}

/** Whether these stones make a move: all of them, or a row. */
export function isMove(stage: Stage, squares: readonly Square[]): boolean {
  if (squares.length === 0) return false;
  if (squares.length === stage.toPlace) return true;
  const cells = stage.cells.slice();
  squares.forEach((s) => (cells[s] = stoneOf(stage.toMove)));
  return rowThrough(stage.game, cells, squares.at(-1) ?? 0) !== null;
}

/** Handles a click on a square: a stone comes, goes or moves there. */
export function touch(stage: Stage, square: Square): void {
  const stones = pending.value;
  if (stones.includes(square)) {
    pending.value = stones.filter((s) => s !== square);
    return;
  }
  if (stage.toPlace === 0 || stage.cells[square] !== 0) return;
  // With all stones placed, the last one moves.
  const kept = stones.length >= stage.toPlace ? stones.slice(0, -1) : stones;
  pending.value = [...kept, square];
  if (!stage.confirm && pending.value.length === stage.toPlace) send(stage);
}

/** Sends the stones that wait. */
export function send(stage: Stage): void {
  const squares = pending.value;
  if (!isMove(stage, squares) && !stage.partial) return;
  pending.value = [];
  announcement.value = `${stage.toMove} ${moveName(stage.game, squares)}`;
  stage.submit(squares);
}

export const takeBackStone = (): void => {
  pending.value = pending.value.slice(0, -1);
};

export const TABS = [
  ["play", "Play"],
  ["record", "Record"],
  ["review", "Review"],
  ["analyse", "Analyse"],
  ["prove", "Prove"],
  ["search", "Search"],
  ["puzzles", "Puzzles"],
  ["atlas", "Atlas"],
] as const;
export type Tab = (typeof TABS)[number][0];
const kept = read<Tab>("lambda6.tab");
export const tab = signal<Tab>(TABS.find(([id]) => id === kept)?.[0] ?? "play");
effect(() => keep("lambda6.tab", tab.value));

/** Which mark a touch makes; empty for stones. */
export const tool = signal("");
