import { useEffect } from "preact/hooks";
import { newDoc, playLine } from "../model/document";
import { parseMove } from "../model/game";
import * as puzzling from "../model/puzzling";
import { open, tab } from "../model/store";
import * as training from "../model/training";
import { Icon } from "./icons";
import { Button, Field, Title } from "./parts";
import { Term } from "./Term";

const GRADES = ["", "Easy", "Medium", "Hard", "Very hard", "Hardest"];
const THEMES: Record<string, string> = {
  "double-threat": "Double threats", "single-threat": "Single threats", inversion: "Inversions: a defence that threatens",
  quiet: "Quiet first moves", defence: "Defence: the only move that holds",
};
const WAYS: Record<string, string> = {
  vcdt: " by double threats",
  vcst: ", with single threats too",
  vcf: " by fours (VCF)",
  vct: " by fours and threes (VCT)",
  lambda3: ", beginning with a quiet move",
};

export function PuzzlePanel() {
  useEffect(() => void puzzling.loadPuzzles(), []);
  const p = puzzling.puzzle.value;
  const said = puzzling.verdict.value;
  const line = puzzling.solution.value;
  const side = (p?.moves.length ?? 0) % 2 === 0 ? "black" : "white";
  return (
    <>
      <Training />
      {p && (
        <section class="stack" aria-label="Puzzle">
          <div class="row spread">
            <h2>Puzzle {p.id}</h2>
            {puzzling.solved.value.has(p.id) && <span class="pill solved"><Icon name="check" /> solved</span>}
          </div>
          <p>{p.theme === "defence" ? `${Title(side)} to move: find the only move that holds.` : `${Title(side)} to move wins in ${p.length} moves${WAYS[p.class] ?? ""}.`} <span class="note"><Term name="rating">Rating</Term> {training.ratingOf(p)}</span></p>
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
        {puzzling.themes.value.length > 1 && (
          <Field label="Theme">
            <select value={puzzling.theme.value} onChange={(e) => puzzling.chooseTheme(e.currentTarget.value)}>
              <option value="">all</option>
              {puzzling.themes.value.map((name) => <option key={name} value={name}>{THEMES[name] ?? name}</option>)}
            </select>
          </Field>
        )}
        {[1, 2, 3, 4, 5].filter((grade) => puzzling.puzzles.value.some((q) => q.grade === grade)).map((grade) => (
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

/** Today's puzzle, and how it goes. */
function Training() {
  const daily = puzzling.daily.value;
  const { rating, rated, row, most } = training.training.value;
  if (!daily) return null;
  const [days, done] = [training.streak.value, training.isSolvedToday.value];
  return (
    <section class="stack" aria-label="Today">
      <div class="row spread">
        <Button primary={!done} onClick={() => puzzling.choose(daily)}>{done ? <><Icon name="check" label="Solved:" /> Today's puzzle</> : "Today's puzzle"}</Button>
        {days > 0 && <span class="pill streak"><Icon name="flame" /> {days} {days === 1 ? "day" : "days in a row"}</span>}
      </div>
      {rated.length > 0 && (
        <p class="note">
          Your <Term name="rating">rating</Term>: <strong>{rating}</strong>, from {rated.length} {rated.length === 1 ? "puzzle" : "puzzles"}
          {row > 1 ? `, ${row} in a row at the first try` : ""}{most > 1 ? `. Longest streak: ${most} days` : ""}.
        </p>
      )}
    </section>
  );
}
