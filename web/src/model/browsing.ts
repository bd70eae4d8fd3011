/** Proofs that are browsed: the defender's moves are tried, the proof answers. */
import { computed, signal } from "@preact/signals";
import type { AnswerDoc, ProofDoc } from "../engine/schema";
import { type Game, type Square, CONNECT6, parseGame, squaresOf } from "./game";
import { announcement, complain, engine, keep, pending, read } from "./store";
import { Task } from "./task";

export interface Browsing {
  proof: ProofDoc;
  defences: readonly string[];
  answer: AnswerDoc | null;
}
export const browsing = signal<Browsing | null>(null);
export const shownZone = signal(0);
/** A certificate that is being checked. */
export const checked = signal<{ replies: number } | null>(null);
/** The proof that an address asks for, until it is there. */
const wanted = signal<{ id: string; tried: readonly string[] } | null>(null);
const task = new Task();

/** What an address has to say of the proof that is open. */
export const shown = computed(() => {
  const now = browsing.value;
  return now ? { id: now.proof.id, tried: now.defences } : wanted.value;
});

interface Kept {
  id: string;
  text: string;
}
const KEY = "lambda6.certificate";
/** Longer certificates are not kept over a reload. */
const MOST_KEPT = 1_500_000;

export async function browse(proof: ProofDoc, defences: readonly string[] = []): Promise<void> {
  pending.value = [];
  // The address has the proof at once, so that it is one entry in the history with the part of the page.
  wanted.value = { id: proof.id, tried: defences };
  try {
    const answer = proof.browsable ? await engine().answer(proof.id, defences) : null;
    browsing.value = { proof, defences, answer };
    if (answer?.reply) announcement.value = `${proof.attacker} answers ${answer.reply}: ${answer.status}`;
    if (read<Kept>(KEY)?.id !== proof.id) await keepCertificate(proof);
  } catch (error) {
    complain(error);
  } finally {
    wanted.value = null;
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

/** Shows the solver again; the proof can be come back to. */
export function leave(): void {
  task.stop();
  browsing.value = null;
  wanted.value = null;
  shownZone.value = 0;
  pending.value = [];
}

/** Has a certificate checked and opens it. */
export function check(file: Uint8Array, tried: readonly string[] = []): Promise<void> {
  checked.value = { replies: 0 };
  return task
    .start(async (signal) => {
      const proof = await engine().check(file, (p) => (checked.value = p), signal);
      announcement.value = `Valid: ${proof.attacker} wins`;
      await browse(proof, tried);
    })
    .finally(() => {
      checked.value = null;
      wanted.value = null;
    });
}

async function keepCertificate(proof: ProofDoc): Promise<void> {
  if (proof.bytes > MOST_KEPT) return keep(KEY, null);
  keep(KEY, { id: proof.id, text: new TextDecoder().decode(await engine().certificate(proof.id)) } satisfies Kept);
}

/** Opens the proof of an address: from this browser, or from the engine, if one of them has it. */
export async function reopen(id: string, tried: readonly string[]): Promise<void> {
  const now = browsing.value;
  if (now?.proof.id === id) {
    if (now.defences.join() !== tried.join()) await browse(now.proof, tried);
    return;
  }
  browsing.value = null;
  wanted.value = { id, tried };
  const kept = read<Kept>(KEY);
  try {
    await check(kept?.id === id ? new TextEncoder().encode(kept.text) : await engine().certificate(id), tried);
  } catch {
    wanted.value = null;
    complain("The proof of this link is not here any more: prove the position again, or open its certificate.");
  }
}

/** Whether a file is a certificate rather than a record. */
export const isCertificate = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.slice(0, 14)).startsWith("connect-proof ") ||
  (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd);

/** The game of the proof. */
export const game = computed<Game>(() => {
  const now = browsing.value;
  return (now && parseGame(Object.values(now.proof.game).slice(0, 5).join(" "))) ?? CONNECT6;
});

/** A square and how long the strongest defence with a stone there resists: 0 for the least of all, 1 for the most. */
export function resistance(waiting: readonly Square[]): Map<Square, { moves: number; share: number }> {
  const found = new Map<Square, { moves: number; share: number }>();
  const named = browsing.value?.answer?.named ?? [];
  // With a stone placed, the defences that have it are what matters.
  const rest = named.map((d) => ({ ...d, squares: squaresOf(game.value, [d.move]) })).filter((d) => waiting.every((s) => d.squares.includes(s)));
  const lengths = rest.map((d) => d.longest);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  for (const { squares, longest } of rest) {
    for (const s of squares) {
      if (waiting.includes(s) || (found.get(s)?.moves ?? 0) >= longest) continue;
      found.set(s, { moves: longest, share: most > least ? (longest - least) / (most - least) : 1 });
    }
  }
  return found;
}
