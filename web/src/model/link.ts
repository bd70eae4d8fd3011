/** A position as part of the fragment of an address, which no server gets to see. */
import { type Doc, goTo, mainLineFrom, newDoc, node, pathTo, playLine, sameMove, viewAt } from "./document";
import { type Game, type Square, CONNECT6, gameText, moveName, parseGame, parseMove, sameGame, squareName } from "./game";

/** Adds the line that is shown, and the position in it. */
export function addLine(parts: URLSearchParams, doc: Doc): void {
  if (!sameGame(doc.game, CONNECT6)) parts.set("game", gameText(doc.game).replaceAll(" ", "."));
  if (doc.start) {
    const names = (squares: readonly Square[]) => squares.map((s) => squareName(doc.game, s)).join("");
    parts.set("black", names(doc.start.black));
    parts.set("white", names(doc.start.white));
    parts.set("to", doc.start.toMove);
  }
  const { moves } = lineOf(doc);
  const at = viewAt(doc, doc.at).ply;
  if (moves.length > 0 || doc.start) parts.set("moves", moves.join("."));
  if (at < moves.length) parts.set("at", String(at));
}

/** The fragment that restores the position that is shown. */
export function linkTo(doc: Doc): string {
  const parts = new URLSearchParams();
  addLine(parts, doc);
  return `#${parts}`;
}

/** The document of a fragment; null when it has none, or not a position that can be. */
export function docOf(parts: URLSearchParams): Doc | null {
  const game: Game | null = parts.has("game") ? parseGame(parts.get("game") ?? "") : CONNECT6;
  if (!game) return null;
  let start = null;
  if (parts.has("to")) {
    const [black, white] = [parseMove(game, parts.get("black") ?? ""), parseMove(game, parts.get("white") ?? "")];
    const toMove = parts.get("to");
    if (!black || !white || (toMove !== "black" && toMove !== "white")) return null;
    if (black.some((s) => white.includes(s))) return null;
    start = { black, white, toMove } as const;
  }
  let doc = newDoc(game, start);
  for (const text of words(parts)) {
    const squares = parseMove(game, text);
    const view = viewAt(doc, doc.at);
    const passes = text === "-" && view.toPlace > 0;
    const fits = squares && squares.length > 0 && squares.length <= view.toPlace && squares.every((s) => view.cells[s] === 0);
    if (!squares || !(fits || passes)) return null;
    doc = playLine(doc, [squares]);
  }
  const at = parts.get("at");
  return at === null ? doc : goTo(doc, pathTo(doc, doc.at)[Number(at)]?.id ?? doc.at);
}

const words = (parts: URLSearchParams): string[] => (parts.get("moves") ?? "").split(".").filter((word) => word !== "");

/** The node of a document at which it shows what another one shows; null if it does not have all of its line. */
export function within(doc: Doc, linked: Doc): number | null {
  const setup = (d: Doc) => JSON.stringify([gameText(d.game), d.start?.black, d.start?.white, d.start?.toMove]);
  if (setup(doc) !== setup(linked)) return null;
  let [at, shown] = [0, linked.at === 0 ? 0 : null as number | null];
  for (const wanted of [...pathTo(linked, linked.at), ...mainLineFrom(linked, linked.at)]) {
    if (!wanted.move) continue;
    const move = wanted.move;
    // Nodes with a comment only lie between moves.
    const below = (id: number): number[] => node(doc, id).children.flatMap((child) => (node(doc, child).move ? [child] : below(child)));
    const next = below(at).find((id) => sameMove(node(doc, id).move, move));
    if (next === undefined) return null;
    at = next;
    if (wanted.id === linked.at) shown = next;
  }
  return shown;
}

/** The moves of the line that the document shows, to its end. */
export function lineOf(doc: Doc): { ids: number[]; moves: string[] } {
  const nodes = [...pathTo(doc, doc.at), ...mainLineFrom(doc, doc.at)].filter((n) => n.move || n.parent === null);
  return { ids: nodes.map((n) => n.id), moves: nodes.flatMap((n) => (n.move ? [moveName(doc.game, n.move)] : [])) };
}
