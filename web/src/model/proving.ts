/** The solver at work: a win is searched for, or the defences that are left. */
import { computed, effect, signal } from "@preact/signals";
import type { ClassDoc, SolveDoc, SolveProgress, SolveRequest, VerifyDoc, VerifyProgress, VerifyRequest } from "../engine/schema";
import { specAt } from "./document";
import { gameText } from "./game";
import { about, announcement, complain, doc, engine, keep, read } from "./store";
import { Task } from "./task";

export interface Limits {
  /** Whose win; the side to move if empty. */
  attacker: string;
  /** The highest order of a move. */
  order: number;
  /** Seconds by the order, where they are not the usual ones. */
  seconds: Readonly<Record<number, number>>;
  memory: number;
  nodes: string;
}

const KEY = "lambda6.limits";
/** How long a search of each order usually takes until it is worth while to ask another question. */
const SECONDS = [10, 30, 300, 600, 600];

const old = read<Partial<Limits>>(KEY);
export const limits = signal<Limits>({
  attacker: "", order: 2, memory: 64, nodes: "", ...old,
  seconds: typeof old?.seconds === "object" ? old.seconds : {},
});

export function change(part: Partial<Limits>): void {
  limits.value = { ...limits.value, ...part };
  keep(KEY, limits.value);
}

/** The seconds that a search of the chosen order may take. */
export const seconds = computed(() => {
  const { order, seconds: own } = limits.value;
  const most = (about.value?.limits.time_ms ?? Infinity) / 1000;
  return own[order] ?? Math.min(SECONDS[order - 1] ?? 600, most);
});

/** The classes of moves in the game that is shown, from the lowest order. */
export const classes = signal<readonly ClassDoc[]>([]);
export const kind = computed(() => classes.value[limits.value.order - 1] ?? null);

/** Asks for the classes whenever another game is shown. */
export function watchClasses(): void {
  let asked = "";
  effect(() => {
    const game = gameText(doc.value.game);
    if (game === asked) return;
    asked = game;
    engine().classes(game).then((found) => game === asked && (classes.value = found.classes), complain);
  });
}

export const progress = signal<SolveProgress | null>(null);
export const result = signal<SolveDoc | null>(null);
/** The moves that a search had tried when it was stopped. */
export const stopped = signal<number | null>(null);
const task = new Task();
export const proving = task.running;
/** The question of the last search, by which it can be gone on with. */
export const asked = signal<SolveRequest | null>(null);

const clear = () => {
  progress.value = null;
  result.value = null;
  stopped.value = null;
  verified.value = null;
};

function run(request: SolveRequest): void {
  clear();
  asked.value = request;
  void task.start(async (signal) => {
    const found = await engine().solve(request, (p) => (progress.value = p), signal);
    result.value = found;
    announcement.value = found.verdict === "win" ? `Proved: ${found.attacker} wins` : `Not proved: ${found.reason}`;
  });
}

const question = () => ({
  position: specAt(doc.value, doc.value.at), class: kind.value?.name ?? null, memory_mib: limits.value.memory,
});
const time = () => Math.round(seconds.value * 1000);

/** Searches for a win in the position that is shown. */
export const prove = (): void => {
  const { attacker, nodes } = limits.value;
  run({ ...question(), attacker: attacker || null, time_ms: time(), nodes: nodes === "" ? null : Number(nodes), resume: false });
};

/** Goes on where the last search was interrupted, for as long again. */
export const goOn = (): void => {
  if (asked.value) run({ ...asked.value, time_ms: time(), memory_mib: limits.value.memory, resume: true });
};

export function stopProving(): void {
  task.stop();
  stopped.value = progress.value?.nodes ?? 0;
  announcement.value = "Stopped";
}

/** Whether the question of the last search is that of the position that is shown. */
export const isAsked = computed(() => {
  const last = asked.value;
  return last !== null && JSON.stringify(last.position) === JSON.stringify(specAt(doc.value, doc.value.at));
});

// The defences that are left.

export const verifying = signal<VerifyProgress | null>(null);
export const verified = signal<{ found: VerifyDoc; request: VerifyRequest } | null>(null);
const verifyTask = new Task();
export const verifyRunning = verifyTask.running;
export const stopVerifying = () => verifyTask.stop();

/** Milliseconds for each defence. */
const EACH_MS = 1000;

export function verify(): void {
  clear();
  verifying.value = null;
  const request: VerifyRequest = { ...question(), each_ms: EACH_MS, time_ms: time() };
  void verifyTask.start(async (signal) => {
    const found = await engine().verify(request, (p) => (verifying.value = p), signal);
    verified.value = { found, request };
    announcement.value = found.proof ? "Every defence loses" : `${found.open.length} defences are left`;
  });
}

/** What verification says of the position that is shown. */
export const verifiedHere = computed(() => {
  const last = verified.value;
  return last && JSON.stringify(last.request.position) === JSON.stringify(specAt(doc.value, doc.value.at)) ? last.found : null;
});
