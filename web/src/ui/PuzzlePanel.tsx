import { useEffect } from "preact/hooks";
import { newDoc, playLine } from "../model/document";
import { CONNECT6, parseMove } from "../model/game";
import * as puzzling from "../model/puzzling";
import { open, tab } from "../model/store";
import { Button, Title } from "./parts";

const GRADES = ["", "Easy", "Medium", "Hard", "Very hard", "Single threats"];

export function PuzzlePanel() {
  useEffect(() => void puzzling.loadPuzzles(), []);
  const p = puzzling.puzzle.value;
  const said = puzzling.verdict.value;
  const line = puzzling.solution.value;
  const side = (p?.moves.length ?? 0) % 2 === 0 ? "black" : "white";
  return (
    <>
      {p && (
        <section class="stack" aria-label="Puzzle">
          <h2>Puzzle {p.id}{puzzling.solved.value.has(p.id) ? " ✓" : ""}</h2>
          <p>{Title(side)} to move wins in {p.length} moves{p.class === "vcst" ? ", with single threats too" : " by double threats"}.</p>
          <p role="status" class={`state ${said?.verdict ?? ""}`}>{puzzling.judging.value ? "Judging …" : (said?.message ?? "")}</p>
          {said?.verdict === "wrong" && said.reply && <p>Refuted by <strong>{said.reply}</strong>.</p>}
          {said?.verdict === "right" && said.reply && said.reply.length < 4 && <p class="note">The defender's other stones may be anywhere.</p>}
          <div class="row">
            {(said?.verdict === "wrong" || said?.verdict === "unsettled") && <Button primary onClick={puzzling.retry}>Try again</Button>}
            {said?.verdict === "solved" && <Button primary onClick={puzzling.next}>Next puzzle</Button>}
            <Button onClick={puzzling.again}>From the start</Button>
            <Button onClick={puzzling.showSolution} disabled={puzzling.judging.value}>Show a solution</Button>
            <Button onClick={() => {
              open(playLine(newDoc(), p.moves.map((m) => parseMove(CONNECT6, m) ?? [])));
              tab.value = "analyse";
            }}>Analyse</Button>
          </div>
          {line && (
            <div class="row" role="group" aria-label="Solution">
              {line.map((m, i) => <Button key={i} onClick={() => puzzling.stepSolution(i + 1)}>{m}</Button>)}
            </div>
          )}
        </section>
      )}
      <section class="stack" aria-label="All puzzles">
        <h2>All puzzles: {puzzling.solved.value.size} of {puzzling.puzzles.value.length} solved</h2>
        {[1, 2, 3, 4, 5].map((grade) => (
          <div key={grade}>
            <h3>{GRADES[grade]}</h3>
            <div class="row puzzles">
              {puzzling.puzzles.value.filter((q) => q.grade === grade).map((q) => (
                <Button key={q.id} aria-pressed={q.id === p?.id} aria-label={`Puzzle ${q.id}${puzzling.solved.value.has(q.id) ? ", solved" : ""}`} class={puzzling.solved.value.has(q.id) ? "solved" : ""} onClick={() => puzzling.choose(q)}>{q.id}</Button>
              ))}
            </div>
          </div>
        ))}
      </section>
    </>
  );
}
