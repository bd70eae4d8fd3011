/**
 * The document that a player edits: a game with its variations, comments and marks.
 *
 * Documents are values. An edit makes a new one that shares what did not change, so undoing is
 * going back to the old one.
 */
import type { MarkDoc, PropertyDoc, RecordDoc, InfoDoc, PositionSpec } from "../engine/schema";
import {
  type Cells, type Game, type Side, type Square, CONNECT6, gameText, moveName, other, parseGame, parseMove,
  rowThrough, squareName, squaresOf, stoneOf,
} from "./game";

export interface Setup {
  readonly black: readonly Square[];
  readonly white: readonly Square[];
  readonly toMove: Side;
}

export interface Node {
  readonly id: number;
  readonly parent: number | null;
  readonly children: readonly number[];
  /** The stones, or nothing for a node that holds a comment only. */
  readonly move: readonly Square[] | null;
  readonly comment: string;
  readonly marks: readonly MarkDoc[];
  readonly properties: readonly PropertyDoc[];
}

export interface Doc {
  readonly game: Game;
  readonly start: Setup | null;
  readonly info: InfoDoc;
  readonly nodes: ReadonlyMap<number, Node>;
  /** The node that is shown. */
  readonly at: number;
  /** The number of the next new node. */
  readonly next: number;
}

/** What the board shows at a node. */
export interface View {
  readonly cells: Cells;
  readonly toMove: Side;
  /** Stones of the next move; 0 when the game is over. */
  readonly toPlace: number;
  readonly last: readonly Square[];
  readonly winner: Side | null;
  readonly row: readonly Square[];
  readonly full: boolean;
  /** Moves played. */
  readonly ply: number;
  /** Stones on the board. */
  readonly stones: number;
}

const EMPTY_INFO: InfoDoc = { black: "", white: "", event: "", result: "", date: "", place: "", source: "" };
const ROOT: Node = { id: 0, parent: null, children: [], move: null, comment: "", marks: [], properties: [] };

export function newDoc(game: Game = CONNECT6, start: Setup | null = null): Doc {
  return { game, start, info: EMPTY_INFO, nodes: new Map([[0, ROOT]]), at: 0, next: 1 };
}

export function node(doc: Doc, id: number): Node {
  return doc.nodes.get(id) ?? ROOT;
}

/** The nodes from the root to this one. */
export function pathTo(doc: Doc, id: number): Node[] {
  const path: Node[] = [];
  for (let at: number | null = id; at !== null; at = node(doc, at).parent) path.push(node(doc, at));
  return path.reverse();
}

/** The nodes from here on along first children. */
export function mainLineFrom(doc: Doc, id: number): Node[] {
  const line: Node[] = [];
  for (let at: number | undefined = node(doc, id).children[0]; at !== undefined; at = node(doc, at).children[0]) {
    line.push(node(doc, at));
  }
  return line;
}

export function viewAt(doc: Doc, id: number): View {
  const { game, start } = doc;
  const cells = new Uint8Array(game.m * game.n);
  start?.black.forEach((s) => (cells[s] = 1));
  start?.white.forEach((s) => (cells[s] = 2));
  let toMove: Side = start?.toMove ?? "black";
  let last: readonly Square[] = [];
  let row: Square[] = [];
  let winner: Side | null = null;
  let ply = 0;
  for (const { move } of pathTo(doc, id)) {
    if (!move) continue;
    for (const s of move) {
      cells[s] = stoneOf(toMove);
      row = winner ? row : (rowThrough(game, cells, s) ?? []);
      if (row.length > 0) winner = toMove;
    }
    last = move;
    toMove = other(toMove);
    ply += 1;
  }
  const empty = cells.reduce((count, cell) => count + (cell === 0 ? 1 : 0), 0);
  const due = empty === cells.length ? game.q : game.p;
  const full = empty === 0;
  return { cells, toMove, toPlace: winner || full ? 0 : Math.min(due, empty), last, winner, row, full, ply, stones: cells.length - empty };
}

/** What the engine is asked about: the position at a node. */
export function specAt(doc: Doc, id: number): PositionSpec {
  const names = (squares: readonly Square[]) => squares.map((s) => squareName(doc.game, s));
  return {
    game: gameText(doc.game),
    start: doc.start && {
      black: names(doc.start.black), white: names(doc.start.white), to_move: doc.start.toMove,
    },
    moves: pathTo(doc, id).flatMap((n) => (n.move ? [moveName(doc.game, n.move)] : [])),
  };
}

export const sameMove = (a: readonly Square[] | null, b: readonly Square[]): boolean =>
  a !== null && a.length === b.length && b.every((s) => a.includes(s));

function withNodes(doc: Doc, changed: readonly Node[], rest: Partial<Doc> = {}): Doc {
  const nodes = new Map(doc.nodes);
  changed.forEach((n) => nodes.set(n.id, n));
  return { ...doc, nodes, ...rest };
}

/** Plays a move at a node and shows the position after it; a move that is there already is not added again. */
export function play(doc: Doc, squares: readonly Square[], from: number = doc.at): Doc {
  const parent = node(doc, from);
  const there = parent.children.find((id) => sameMove(node(doc, id).move, squares));
  if (there !== undefined) return { ...doc, at: there };
  const id = doc.next;
  const child: Node = { ...ROOT, id, parent: from, move: [...squares] };
  return withNodes(doc, [{ ...parent, children: [...parent.children, id] }, child], { at: id, next: id + 1 });
}

/** Plays moves one after the other, from where the document is. */
export function playLine(doc: Doc, moves: readonly (readonly Square[])[]): Doc {
  return moves.reduce((d, squares) => play(d, squares), doc);
}

export const goTo = (doc: Doc, id: number): Doc => (doc.nodes.has(id) ? { ...doc, at: id } : doc);

export function setNode(doc: Doc, id: number, part: Partial<Pick<Node, "comment" | "marks">>): Doc {
  return withNodes(doc, [{ ...node(doc, id), ...part }]);
}

/** Takes a node away with all that follows it. */
export function removeBranch(doc: Doc, id: number): Doc {
  const gone = node(doc, id);
  if (gone.parent === null) return doc;
  const nodes = new Map(doc.nodes);
  const stack = [id];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    stack.push(...node(doc, at).children);
    nodes.delete(at);
  }
  const parent = node(doc, gone.parent);
  nodes.set(parent.id, { ...parent, children: parent.children.filter((child) => child !== id) });
  return { ...doc, nodes, at: nodes.has(doc.at) ? doc.at : parent.id };
}

/** Makes the line through a node the main line. */
export function makeMain(doc: Doc, id: number): Doc {
  const changed = pathTo(doc, id).flatMap((n) => {
    if (n.parent === null) return [];
    const parent = node(doc, n.parent);
    return parent.children[0] === n.id
      ? []
      : [{ ...parent, children: [n.id, ...parent.children.filter((child) => child !== n.id)] }];
  });
  return withNodes(doc, changed);
}

/** A mark of this kind on the square, or none if it was there. */
export function toggleMark(doc: Doc, kind: string, square: Square): Doc {
  const here = node(doc, doc.at);
  const at = squareName(doc.game, square);
  const rest = here.marks.filter((mark) => mark.at !== at);
  const was = here.marks.find((mark) => mark.at === at && mark.kind === kind);
  if (was || kind === "") return setNode(doc, doc.at, { marks: rest });
  const used = new Set(here.marks.flatMap((mark) => (mark.text ? [mark.text] : [])));
  const letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((l) => !used.has(l)) ?? "?";
  const mark: MarkDoc = kind === "LB" ? { kind, at, text: letter } : { kind, at };
  return setNode(doc, doc.at, { marks: [...rest, mark] });
}

/** The moves of the main line. */
export const moveTexts = (doc: Doc): string[] => mainLineFrom(doc, 0).flatMap((n) => (n.move ? [moveName(doc.game, n.move)] : []));

export function toRecord(doc: Doc): RecordDoc {
  const numbers = new Map<number, number>();
  const nodes: RecordDoc["nodes"] = [];
  const stack = [0];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const n = node(doc, id);
    numbers.set(id, nodes.length);
    nodes.push({
      parent: n.parent === null ? null : (numbers.get(n.parent) ?? 0),
      move: n.move && moveName(doc.game, n.move),
      comment: n.comment,
      marks: [...n.marks],
      properties: [...n.properties],
    });
    stack.push(...[...n.children].reverse());
  }
  const { start } = specAt(doc, 0);
  return { game: gameText(doc.game), start: start ?? null, info: doc.info, nodes };
}

export function fromRecord(record: RecordDoc): Doc {
  const game = parseGame(record.game) ?? CONNECT6;
  const start = record.start && {
    black: squaresOf(game, record.start.black ?? []),
    white: squaresOf(game, record.start.white ?? []),
    toMove: record.start.to_move as Side,
  };
  const children = new Map<number, number[]>();
  record.nodes.forEach((n, id) => {
    if (n.parent !== null && n.parent !== undefined) {
      children.set(n.parent, [...(children.get(n.parent) ?? []), id]);
    }
  });
  const nodes = new Map<number, Node>();
  record.nodes.forEach((n, id) => {
    nodes.set(id, {
      id,
      parent: n.parent ?? null,
      children: children.get(id) ?? [],
      move: n.move ? parseMove(game, n.move) : null,
      comment: n.comment ?? "",
      marks: n.marks ?? [],
      properties: n.properties ?? [],
    });
  });
  if (nodes.size === 0) nodes.set(0, ROOT);
  return { game, start: start ?? null, info: { ...EMPTY_INFO, ...record.info }, nodes, at: 0, next: nodes.size };
}
