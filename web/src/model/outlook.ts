/** How the page speaks of chances: from one point of view, and in words where a win is seen. */
import { computed } from "@preact/signals";
import type { OutlookDoc } from "../engine/schema";
import type { Side } from "./game";
import { settings, view } from "./store";

/** The side whose chances and scores are shown. */
export const viewed = computed<Side>(() => (settings.value.view === "mover" ? view.value.toMove : settings.value.view));

/** Over a whole game the side to move changes: then it is Black's. */
export const viewedInGame = computed<Side>(() => (settings.value.view === "mover" ? "black" : settings.value.view));

export const chanceOf = (side: Side, black: number): number => (side === "black" ? black : 1 - black);

/** Such as `wins in 5 (proved)` or `loses (search)`, of this side. */
export function outlookText({ winner, proved, moves }: OutlookDoc, side: Side): string {
  const length = proved && moves ? ` in ${moves}` : "";
  return `${winner === side ? "wins" : "loses"}${length} (${proved ? "proved" : "search"})`;
}

/** A chance of which a hundred percent would say too much. */
export function percent(chance: number): string {
  const rounded = Math.round(chance * 100);
  return `${Math.max(1, Math.min(99, rounded))} %`;
}

/** How good a move is beside the best: 0 as good, 1 a little worse, 2 much worse, 3 it loses, or gives the win away. */
export function quality(best: Judged, move: Judged, mover: Side): number {
  if (move.outlook && move.outlook.winner !== mover) return 3;
  const worth = (judged: Judged) => (judged.outlook ? Number(judged.outlook.winner === mover) : chanceOf(mover, judged.black_chance));
  const given = worth(best) - worth(move);
  return given <= 0.03 ? 0 : given <= 0.1 ? 1 : given <= 0.3 ? 2 : 3;
}

interface Judged {
  black_chance: number;
  outlook?: OutlookDoc | null;
}

/** The win that a status such as `B:w` speaks of. */
export function outlookOf(status: string): OutlookDoc | null {
  const winner = { "B:w": "black", "W:w": "white" }[status];
  return winner ? { winner, proved: true, moves: null } : null;
}
