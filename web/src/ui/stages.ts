/** What the board shows and does in each part of the page. */
import type { MarkDoc } from "../engine/schema";
import * as analysis from "../model/analysis";
import { node, play, toggleMark } from "../model/document";
import { type Side, type Square, moveName, other, parseMove, squaresOf, stoneOf } from "../model/game";
import * as jobs from "../model/jobs";
import * as browsing from "../model/browsing";
import { quality } from "../model/outlook";
import * as proving from "../model/proving";
import * as puzzling from "../model/puzzling";
import * as reviewing from "../model/reviewing";
import { GRADES } from "../model/reviewing";
import * as session from "../model/session";
import { type Stage, commit, doc, pending, settings, tab, tool, touch, view } from "../model/store";
import type { Label } from "./Board";

/** What is drawn beside the stones. */
export interface Dress {
  marks: readonly MarkDoc[];
  paint: Map<Square, string>;
  labels: Map<Square, Label>;
}

export function stageNow(): Stage {
  if (tab.value === "puzzles") return puzzleStage();
  if (tab.value === "prove" && browsing.browsing.value?.answer) return proofStage();
  if (tab.value === "search" && jobs.watched.value) return jobsStage();
  return documentStage();
}

function jobsStage(): Stage {
  const open = jobs.node.value !== null && !jobs.node.value.value;
  const { game } = jobs.board.value;
  return {
    key: `jobs/${jobs.watched.value?.search.name}/${jobs.selected.value}`,
    doc: null, ...jobs.board.value, row: [], toPlace: open ? game.p : 0, confirm: true, verb: "Suggest",
    submit: (squares) => void jobs.steer("suggest", jobs.selected.value, moveName(game, squares)),
  };
}

function documentStage(): Stage {
  const [d, v, s] = [doc.value, view.value, session.session.value];
  const inGame = tab.value === "play" && s !== null && session.atTip.value && s.result === "";
  // Without a game the first stone begins one.
  const begins = tab.value === "play" && (s === null || s.result !== "");
  return {
    key: `doc/${d.at}/${d.nodes.size}/${inGame}`,
    doc: d, game: d.game, cells: v.cells, toMove: v.toMove, last: v.last, row: v.row,
    toPlace: inGame && !session.myTurn.value ? 0 : v.toPlace,
    confirm: (inGame || (begins && v.stones > 0)) && !settings.value.quick,
    submit: (squares) => {
      if (inGame) session.moveInGame(squares);
      else if (begins) session.moveBegins(squares);
      else commit(play(doc.value, squares));
    },
  };
}

function puzzleStage(): Stage {
  const b = puzzling.board.value;
  const said = puzzling.verdict.value?.verdict;
  const open = puzzling.puzzle.value !== null && !puzzling.judging.value && !puzzling.solution.value && (said === undefined || said === "right");
  return {
    key: `puzzle/${puzzling.puzzle.value?.id}/${puzzling.played.value.length}`,
    doc: null, ...b, toPlace: open ? b.game.p : 0, confirm: !settings.value.quick, submit: puzzling.attempt,
  };
}

function proofStage(): Stage {
  const b = browsing.browsing.value;
  const answer = b?.answer;
  const game = browsing.game.value;
  const cells = new Uint8Array(game.m * game.n);
  squaresOf(game, answer?.black ?? []).forEach((s) => (cells[s] = 1));
  squaresOf(game, answer?.white ?? []).forEach((s) => (cells[s] = 2));
  const defender: Side = b ? other(b.proof.attacker as Side) : "white";
  return {
    key: `proof/${b?.proof.id}/${b?.defences.length}`,
    doc: null, game, cells, toMove: defender,
    toPlace: answer?.stones_to_place ?? 0,
    last: answer?.reply ? (parseMove(game, answer.reply) ?? []) : [],
    row: [], confirm: true, partial: true,
    submit: (squares) => browsing.defend(moveName(game, squares)),
  };
}

/** A touch on the board: a stone, or a mark. */
export function touched(stage: Stage, square: Square): void {
  if (stage.doc && tab.value === "record" && tool.value !== "") commit(toggleMark(doc.value, tool.value, square));
  else touch(stage, square);
}

export function dressNow(stage: Stage): Dress {
  const dress: Dress = { marks: [], paint: new Map(), labels: new Map() };
  if (stage.doc) dressDocument(stage, dress);
  else if (tab.value === "prove") dressProof(stage, dress);
  return dress;
}

function dressDocument(stage: Stage, dress: Dress): void {
  const { game } = stage;
  dress.marks = tab.value === "play" ? [] : node(doc.value, doc.value.at).marks;
  const paint = (names: readonly string[], kind: string) => squaresOf(game, names).forEach((s) => dress.paint.set(s, kind));
  const seen = analysis.seen.value;
  if (tab.value === "analyse" && seen) {
    const mine = seen.to_move as Side;
    if (settings.value.showCells) {
      paint(seen[`${mine}_single_cells`], "cell-1");
      paint(seen[`${mine}_double_cells`], "cell-2");
    }
    if (settings.value.showThreats) {
      paint(seen[`${mine}_threats`], "own-threat");
      paint(seen[`${other(mine)}_threats`], "threat");
      paint(seen.defences, "defence");
    }
  }
  if (tab.value === "analyse") {
    const candidates = analysis.live.value?.candidates ?? [];
    candidates.slice(0, 5).forEach((c, i) =>
      parseMove(game, c.move)?.forEach((s) => {
        const grade = quality(candidates[0] ?? c, c, stage.toMove);
        if (!dress.labels.has(s)) dress.labels.set(s, { text: String(i + 1), kind: `rank-${i} quality-${grade}` });
      }),
    );
  }
  if (tab.value === "review") dressReview(stage, dress);
  const line = analysis.shownLine.value;
  if (line) number(stage, line.moves.slice(0, line.count), dress);
  if (tab.value === "play" && session.hint.value) {
    parseMove(game, session.hint.value.move)?.forEach((s) => dress.labels.set(s, { text: "?", kind: "hint" }));
  }
  if (tab.value === "prove" && proving.proving.value) number(stage, proving.progress.value?.line ?? [], dress);
  const verified = tab.value === "prove" ? proving.verifiedHere.value : null;
  verified?.open.forEach((move) => paint([move], "defence"));
}

/** Before a mistake: what was played, and what was better. */
function dressReview(stage: Stage, dress: Dress): void {
  const now = reviewing.reviewed.value;
  const at = analysis.line.value.ids.indexOf(doc.value.at);
  const next = now?.moves.get(at + 1);
  const grade = next ? GRADES[next.quality] : undefined;
  if (!next || grade === undefined) return;
  const label = (move: string | undefined, text: string, kind: string) =>
    parseMove(stage.game, move ?? "")?.forEach((s) => dress.labels.set(s, { text, kind }));
  label(next.move, "?", `quality-${grade}`);
  label(now?.positions.get(at)?.line?.[0], "1", "quality-0");
}

/** Numbers the moves of a line on the board. */
function number(stage: Stage, line: readonly string[], dress: Dress): void {
  if (line.length === 0) return;
  dress.labels.clear();
  let side = stage.toMove;
  line.forEach((text, i) => {
    parseMove(stage.game, text)?.forEach((s) => dress.labels.set(s, { text: String(i + 1), kind: `line ${side}` }));
    side = other(side);
  });
}

function dressProof(stage: Stage, dress: Dress): void {
  const answer = browsing.browsing.value?.answer;
  // Each zone lies within the next: the smallest that has a square gives its shade.
  const shown = browsing.shownZone.value;
  const zones = answer?.zones.slice(0, shown) ?? [];
  zones.forEach((zone, i) =>
    squaresOf(stage.game, zone).forEach((s) => dress.paint.has(s) || dress.paint.set(s, `zone-${i + 1}`)),
  );
  if (!answer || shown > 0) return;
  // The number is that of the attacker's moves which the strongest defence with a stone there costs.
  for (const [s, { moves, share }] of browsing.resistance(pending.value)) {
    dress.paint.set(s, `resists-${Math.round(share * 4)}`);
    dress.labels.set(s, { text: String(moves), kind: "resistance" });
  }
}

/** The colour of the next stone, if one can be placed now. */
export const nextStone = (stage: Stage, waiting: number): Side | null =>
  stage.toPlace > 0 && waiting < stage.toPlace ? stage.toMove : null;

export { stoneOf };
