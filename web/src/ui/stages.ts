/** What the board shows and does in each part of the page. */
import type { MarkDoc } from "../engine/schema";
import * as analysis from "../model/analysis";
import { node, play, toggleMark } from "../model/document";
import { type Game, type Side, type Square, CONNECT6, moveName, other, parseGame, parseMove, squaresOf, stoneOf } from "../model/game";
import * as jobs from "../model/jobs";
import * as proving from "../model/proving";
import * as puzzling from "../model/puzzling";
import * as session from "../model/session";
import { type Stage, commit, doc, settings, tab, tool, touch, view } from "../model/store";
import type { Label } from "./Board";
import { shownLine } from "./AnalysePanel";

/** What is drawn beside the stones. */
export interface Dress {
  marks: readonly MarkDoc[];
  paint: Map<Square, string>;
  labels: Map<Square, Label>;
}

export function stageNow(): Stage {
  if (tab.value === "puzzles") return puzzleStage();
  if (tab.value === "prove" && proving.browsing.value?.answer) return proofStage();
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
  return {
    key: `doc/${d.at}/${d.nodes.size}/${inGame}`,
    doc: d, game: d.game, cells: v.cells, toMove: v.toMove, last: v.last, row: v.row,
    toPlace: inGame && !session.myTurn.value ? 0 : v.toPlace,
    confirm: inGame && !settings.value.quick,
    submit: (squares) => (inGame ? session.moveInGame(squares) : commit(play(doc.value, squares))),
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
  const b = proving.browsing.value;
  const answer = b?.answer;
  const game: Game = (b && parseGame(Object.values(b.proof.game).slice(0, 5).join(" "))) ?? CONNECT6;
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
    submit: (squares) => proving.defend(moveName(game, squares)),
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
    const live = analysis.live.value;
    live?.candidates.slice(0, 5).forEach((c, i) =>
      parseMove(game, c.move)?.forEach((s) => {
        if (!dress.labels.has(s)) dress.labels.set(s, { text: String(i + 1), kind: `rank-${i}` });
      }),
    );
    number(stage, shownLine.value, dress);
  }
  if (tab.value === "play" && session.hint.value) {
    parseMove(game, session.hint.value)?.forEach((s) => dress.labels.set(s, { text: "?", kind: "hint" }));
  }
  if (tab.value === "prove" && proving.proving.value) number(stage, proving.progress.value?.line ?? [], dress);
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
  const answer = proving.browsing.value?.answer;
  // Each zone lies within the next: the smallest that has a square gives its shade.
  const shown = proving.shownZone.value;
  const zones = answer?.zones.slice(0, shown) ?? [];
  zones.forEach((zone, i) =>
    squaresOf(stage.game, zone).forEach((s) => dress.paint.has(s) || dress.paint.set(s, `zone-${i + 1}`)),
  );
  if (answer && shown === 0) squaresOf(stage.game, answer.defences).forEach((s) => dress.paint.set(s, "defence"));
}

/** The colour of the next stone, if one can be placed now. */
export const nextStone = (stage: Stage, waiting: number): Side | null =>
  stage.toPlace > 0 && waiting < stage.toPlace ? stage.toMove : null;

export { stoneOf };
