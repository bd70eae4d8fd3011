import { useEffect } from "preact/hooks";
import { newDoc, playLine } from "../model/document";
import { parseMove } from "../model/game";
import * as puzzling from "../model/puzzling";
import { open, tab } from "../model/store";
import { Button, Field, Title } from "./parts";

const GRADES = {
  connect6: ["", "Easy", "Medium", "Hard", "Very hard", "Single threats"],
  "go-moku": ["", "Easy", "Medium", "Hard", "Very hard", "Hardest"],
};
const WAYS: Record<string, string> = {
  vcdt: " by double threats",
  vcst: ", with single threats too",
  vcf: " by fours (VCF)",
  vct: " by fours and threes (VCT)",
};

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
          <p>{Title(side)} to move wins in {p.length} moves{WAYS[p.class]}.</p>
          <p role="status" class={`state ${said?.verdict ?? ""}`}>{puzzling.judging.value ? "Judging …" : (said?.message ?? "")}</p>
          {said?.verdict === "wrong" && said.reply && <p>Refuted by <strong>{said.reply}</strong>.</p>}
          {said?.verdict === "right" && puzzling.game.value.p > 1 && said.reply && said.reply.length < 4 && <p class="note">The defender's other stones may be anywhere.</p>}
          <div class="row">
            {(said?.verdict === "wrong" || said?.verdict === "unsettled") && <Button primary onClick={puzzling.retry}>Try again</Button>}
            {said?.verdict === "solved" && <Button primary onClick={puzzling.next}>Next puzzle</Button>}
            <Button onClick={puzzling.again}>From the start</Button>
            <Button onClick={puzzling.showSolution} disabled={puzzling.judging.value}>Show a solution</Button>
            <Button onClick={() => {
              open(playLine(newDoc(puzzling.game.value), p.moves.map((m) => parseMove(puzzling.game.value, m) ?? [])));
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
        <Field label="Game">
          <select value={puzzling.set.value} onChange={(e) => puzzling.chooseSet(e.currentTarget.value as puzzling.PuzzleSet)}>
            <option value="connect6">connect6</option>
            <option value="go-moku">go-moku</option>
          </select>
        </Field>
        {[1, 2, 3, 4, 5].map((grade) => (
          <div key={grade}>
            <h3>{GRADES[puzzling.set.value][grade]}</h3>
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
