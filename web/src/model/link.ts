/** A position as the fragment of an address, which no server gets to see. */
import { type Doc, mainLineFrom, newDoc, pathTo, playLine, viewAt } from "./document";
import { type Game, type Square, CONNECT6, gameText, moveName, parseGame, parseMove, sameGame, squareName } from "./game";

/** The fragment that restores the position that is shown. */
export function linkTo(doc: Doc): string {
  const parts = new URLSearchParams();
  if (!sameGame(doc.game, CONNECT6)) parts.set("game", gameText(doc.game).replaceAll(" ", "."));
  if (doc.start) {
    const names = (squares: readonly Square[]) => squares.map((s) => squareName(doc.game, s)).join("");
    parts.set("black", names(doc.start.black));
    parts.set("white", names(doc.start.white));
    parts.set("to", doc.start.toMove);
  }
  const moves = pathTo(doc, doc.at).flatMap((n) => (n.move ? [moveName(doc.game, n.move)] : []));
  parts.set("moves", moves.join("."));
  return `#${parts.toString()}`;
}

/** The document of a fragment; null when it is none, or not a position that can be. */
export function docOf(fragment: string): Doc | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!parts.has("moves")) return null;
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
  for (const text of (parts.get("moves") ?? "").split(".").filter((word) => word !== "")) {
    const squares = parseMove(game, text);
    const view = viewAt(doc, doc.at);
    const fits = squares && squares.length > 0 && squares.length <= view.toPlace && squares.every((s) => view.cells[s] === 0);
    if (!fits) return null;
    doc = playLine(doc, [squares]);
  }
  return doc;
}

/** Whether two documents show the same position by the same moves. */
export const sameLine = (a: Doc, b: Doc): boolean => linkTo(a) === linkTo(b);

/** The moves of the line that the document shows, to its end. */
export function lineOf(doc: Doc): { ids: number[]; moves: string[] } {
  const nodes = [...pathTo(doc, doc.at), ...mainLineFrom(doc, doc.at)].filter((n) => n.move || n.parent === null);
  return { ids: nodes.map((n) => n.id), moves: nodes.flatMap((n) => (n.move ? [moveName(doc.game, n.move)] : [])) };
}
