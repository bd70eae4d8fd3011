/** A game against the engine: sides, level, clocks. */
import { computed, effect, signal, untracked } from "@preact/signals";
import type { OutlookDoc, PlayProgress, ProofDoc } from "../engine/schema";
import { type Doc, newDoc, node, pathTo, play, specAt, viewAt } from "./document";
import { type Game, type Side, other, parseMove, squareName } from "./game";
import { announcement, commit, doc, engine, keep, open, pending, read, set, settings, view } from "./store";
import { Task } from "./task";

export interface Session {
  human: Side;
  level: string;
  /** A time control such as `1s` or `300s+2s`. */
  control: string;
  /** Milliseconds left for each side, of a game with clocks. */
  left: Record<Side, number> | null;
  increment: number;
  /** When the clock of the side to move was started, by `Date.now()`. */
  since: number | null;
  /** The node at which the game stands. */
  tip: number;
  result: string;
  /** How the engine judged the position after its moves, by the node. */
  judged?: Readonly<Record<number, Judged>>;
}

export interface Judged {
  black_chance: number;
  outlook: OutlookDoc | null;
}

/** What a new game is to be. */
export interface Choice {
  level: string;
  human: Side;
  control: string;
}
const CHOICE_KEY = "lambda6.choice";
export const choice = signal<Choice>({ level: "casual", human: "black", control: "1s", ...read<Partial<Choice>>(CHOICE_KEY) });
export function choose(part: Partial<Choice>): void {
  choice.value = { ...choice.value, ...part };
  keep(CHOICE_KEY, choice.value);
}

const KEY = "lambda6.session";

const saved = read<Session>(KEY);
export const session = signal<Session | null>(saved && doc.value.nodes.has(saved.tip) ? saved : null);
/** What the engine thinks while it thinks about its move. */
export const thought = signal<PlayProgress | null>(null);
export interface Hint {
  move: string;
  /** A win that is seen: perhaps the other side's. */
  outlook: OutlookDoc | null;
  proof: ProofDoc | null;
}
export const hint = signal<Hint | null>(null);
const task = new Task();
const hintTask = new Task();
export const thinking = task.running;
export const hinting = hintTask.running;

effect(() => keep(KEY, session.value));

/** Whether the page shows the position in which the game stands. */
export const atTip = computed(() => session.value !== null && doc.value.at === session.value.tip);

/** Whether it is the user's move in the game. */
export const myTurn = computed(
  () => atTip.value && !session.value?.result && view.value.toPlace > 0 && view.value.toMove === session.value?.human,
);

const parseControl = (control: string) => {
  const found = /^(\d+)s\+(\d+)s$/.exec(control);
  return found && { main: Number(found[1]) * 1000, increment: Number(found[2]) * 1000 };
};

export function start(game: Game, { human, level, control }: Choice): void {
  const clock = parseControl(control);
  tried("play");
  open({ ...newDoc(game), info: { ...newDoc().info, ...names(human, level), date: new Date().toISOString().slice(0, 10) } });
  pending.value = [];
  session.value = {
    human, level, control,
    left: clock && { black: clock.main, white: clock.main },
    increment: clock?.increment ?? 0,
    since: clock ? Date.now() : null,
    tip: 0,
    result: "",
  };
}

const names = (human: Side, level: string) =>
  human === "black" ? { black: "You", white: `lambda6 ${level}` } : { black: `lambda6 ${level}`, white: "You" };

/** Goes on with the game from the position that is shown. */
export function playFromHere({ human, level, control }: Choice): void {
  const clock = parseControl(control);
  session.value = {
    human, level, control,
    left: clock && { black: clock.main, white: clock.main },
    increment: clock?.increment ?? 0,
    since: clock ? Date.now() : null,
    tip: doc.value.at,
    result: "",
  };
}

/** Ticks off what a new visitor is led to. */
export function tried(what: string): void {
  if (!settings.value.tried.includes(what)) set("tried", [...settings.value.tried, what]);
}

/** A move on the board without a game: it begins one, with the side that moves as the user's. */
export function moveBegins(squares: readonly number[]): void {
  const mine: Choice = { ...choice.value, human: view.value.toMove };
  if (view.value.stones === 0 && doc.value.nodes.size === 1) start(doc.value.game, mine);
  else playFromHere(mine);
  moveInGame(squares);
}

export function leave(): void {
  task.stop();
  session.value = null;
}

/** A move of either side in the game. */
export function moveInGame(squares: readonly number[]): void {
  const now = session.value;
  if (!now) return;
  hint.value = null;
  const side = viewAt(doc.value, now.tip).toMove;
  const next = play(doc.value, squares, now.tip);
  const spent = now.since === null ? 0 : Date.now() - now.since;
  const left = now.left && { ...now.left, [side]: Math.max(0, now.left[side] - spent) + now.increment };
  const after = viewAt(next, next.at);
  const result = after.winner ? (after.winner === "black" ? "B+" : "W+") : after.full ? "Draw" : "";
  session.value = { ...now, left, since: now.left && !result ? Date.now() : null, tip: next.at, result };
  commit(result ? withResult(next, result) : next);
  if (result) announcement.value = resultText(result);
}

const withResult = (d: Doc, result: string): Doc => ({ ...d, info: { ...d.info, result } });

export function resultText(result: string): string {
  const side = result.startsWith("B+") ? "Black" : result.startsWith("W+") ? "White" : null;
  if (!side) return "A draw: the board is full.";
  const how = result.slice(2);
  return `${side} wins${how === "Resign" ? " by resignation" : how === "Time" ? " on time" : ""}.`;
}

function finish(result: string): void {
  task.stop();
  const now = session.value;
  if (!now || now.result) return;
  session.value = { ...now, result, since: null };
  commit(withResult(doc.value, result));
  announcement.value = resultText(result);
}

export function resign(): void {
  if (session.value) finish(`${session.value.human === "black" ? "W" : "B"}+Resign`);
}

/** Takes the user's last move back, and the engine's answer to it. */
export function takeBack(): void {
  const now = session.value;
  if (!now) return;
  task.stop();
  pending.value = [];
  const path = pathTo(doc.value, now.tip);
  // The last node before which the user was to move.
  const mine = path.filter((n) => n.move && n.parent !== null && viewAt(doc.value, n.parent).toMove === now.human).at(-1);
  if (!mine || mine.parent === null) return;
  session.value = { ...now, tip: mine.parent, result: "", since: now.left ? Date.now() : null };
  commit(withResult({ ...doc.value, at: mine.parent }, ""));
}

export const canTakeBack = computed(() => {
  const now = session.value;
  return now !== null && pathTo(doc.value, now.tip).some(
    (n) => n.move && n.parent !== null && viewAt(doc.value, n.parent).toMove === now.human,
  );
});

/** Keeps how the engine judged its last move. */
function judge(judged: Judged): void {
  const now = session.value;
  if (now) session.value = { ...now, judged: { ...now.judged, [now.tip]: judged } };
}

/** Asks what the engine would play, without playing it. */
export function askHint(): void {
  hint.value = null;
  const at = doc.value.at;
  void hintTask.start(async (signal) => {
    const request = { position: specAt(doc.value, at), thinking: { control: "1s" } };
    const choice = await engine().play(request, () => undefined, signal);
    const { move, outlook = null, proof = null } = choice;
    if (doc.value.at === at) hint.value = { move, outlook, proof };
    announcement.value = `Hint: ${move}`;
  });
}

/** Milliseconds left for a side now. */
export function leftNow(side: Side, now: number): number | null {
  const s = session.value;
  if (!s?.left) return null;
  const running = s.since !== null && viewAt(doc.value, s.tip).toMove === side;
  return Math.max(0, s.left[side] - (running ? now - (s.since ?? now) : 0));
}

/** Ends the game when a clock has run out. */
export function lookAtClock(): void {
  const s = session.value;
  if (!s?.left || s.since === null || s.result) return;
  const side = viewAt(doc.value, s.tip).toMove;
  if (leftNow(side, Date.now()) === 0) finish(`${other(side) === "black" ? "B" : "W"}+Time`);
}

/** Lets the engine move whenever it is its turn. */
export function watchGame(): void {
  let asked = "";
  effect(() => {
    const s = session.value;
    const d = doc.value;
    const theirs = s && !s.result && d.nodes.has(s.tip) && viewAt(d, s.tip);
    const key = theirs && theirs.toPlace > 0 && theirs.toMove !== s.human ? `${s.tip}/${s.level}/${s.control}` : "";
    if (key === asked && (key === "" || untracked(() => task.running.value))) return;
    asked = key;
    untracked(() => {
      task.stop();
      thought.value = null;
      if (!s || key === "") return;
      void task.start(async (signal) => {
        const remaining = s.left ? Math.round(leftNow(other(s.human), Date.now()) ?? 0) : null;
        const request = {
          position: specAt(d, s.tip),
          level: s.level,
          thinking: { control: s.control, remaining_ms: remaining },
          seed: Math.floor(Math.random() * 2 ** 32),
        };
        const choice = await engine().play(request, (p) => (thought.value = p), signal);
        const squares = parseMove(d.game, choice.move);
        if (signal.aborted || !squares || session.value?.tip !== s.tip) return;
        announcement.value = `lambda6 plays ${squares.map((sq) => squareName(d.game, sq)).join(" ")}`;
        moveInGame(squares);
        judge({ black_chance: choice.black_chance, outlook: choice.outlook ?? null });
      });
    });
  });
  setInterval(lookAtClock, 200);
}

export const tipNode = computed(() => (session.value ? node(doc.value, session.value.tip) : null));
