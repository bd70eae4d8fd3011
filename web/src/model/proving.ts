/** The solver at work, and proofs that are browsed. */
import { effect, signal } from "@preact/signals";
import type { AnswerDoc, ClassDoc, ProofDoc, SolveDoc, SolveProgress, SolveRequest } from "../engine/schema";
import { gameText } from "./game";
import { announcement, complain, doc, engine, keep, pending, read } from "./store";
import { Task } from "./task";

export const progress = signal<SolveProgress | null>(null);
export const result = signal<SolveDoc | null>(null);
const task = new Task();
export const proving = task.running;

/** The classes of moves in the game that is shown, from the lowest order. */
export const classes = signal<readonly ClassDoc[]>([]);

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

export interface Browsing {
  proof: ProofDoc;
  defences: readonly string[];
  answer: AnswerDoc | null;
}
export const browsing = signal<Browsing | null>(null);
export const shownZone = signal(0);
export const checked = signal<{ replies: number } | null>(null);

const KEY = "lambda6.proof";
/** The defences that were tried. */
const TRIED_KEY = "lambda6.proof.tried";
/** Longer certificates are not kept over a reload. */
const MOST_KEPT = 1_500_000;

export function prove(request: SolveRequest): void {
  progress.value = null;
  result.value = null;
  stopped.value = null;
  void task.start(async (signal) => {
    const found = await engine().solve(request, (p) => (progress.value = p), signal);
    result.value = found;
    announcement.value = found.verdict === "win" ? `Proved: ${found.attacker} wins` : `Not proved: ${found.reason}`;
  });
}

/** The moves that a search had tried when it was stopped. */
export const stopped = signal<number | null>(null);

export function stopProving(): void {
  task.stop();
  stopped.value = progress.value?.nodes ?? 0;
  announcement.value = "Stopped";
}

export async function browse(proof: ProofDoc, defences: readonly string[] = []): Promise<void> {
  pending.value = [];
  try {
    const answer = proof.browsable ? await engine().answer(proof.id, defences) : null;
    browsing.value = { proof, defences, answer };
    if (answer?.reply) announcement.value = `${proof.attacker} answers ${answer.reply}: ${answer.status}`;
    keep(TRIED_KEY, defences);
    if (defences.length === 0) await keepCertificate(proof);
  } catch (error) {
    complain(error);
  }
}

export function defend(squares: string): void {
  const now = browsing.value;
  if (now) void browse(now.proof, [...now.defences, squares]);
}

export function back(): void {
  const now = browsing.value;
  if (now) void browse(now.proof, now.defences.slice(0, -1));
}

export function close(): void {
  browsing.value = null;
  shownZone.value = 0;
  pending.value = [];
  keep(KEY, null);
}

/** Has a certificate checked and opens it. */
export function check(file: Uint8Array, tried: readonly string[] = []): void {
  checked.value = { replies: 0 };
  void task
    .start(async (signal) => {
      const proof = await engine().check(file, (p) => (checked.value = p), signal);
      announcement.value = `Valid: ${proof.attacker} wins`;
      await browse(proof);
      if (tried.length > 0) await browse(proof, tried);
    })
    .finally(() => (checked.value = null));
}

async function keepCertificate(proof: ProofDoc): Promise<void> {
  if (proof.bytes > MOST_KEPT) return keep(KEY, null);
  keep(KEY, new TextDecoder().decode(await engine().certificate(proof.id)));
}

/** Opens the proof that was open before the page was reloaded. */
export function reopenProof(): void {
  const text = read<string>(KEY);
  if (text) check(new TextEncoder().encode(text), read<string[]>(TRIED_KEY) ?? []);
}

/** Whether a file is a certificate rather than a record. */
export const isCertificate = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.slice(0, 14)).startsWith("connect-proof ") ||
  (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd);
