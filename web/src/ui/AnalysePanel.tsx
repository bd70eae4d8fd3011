import { signal } from "@preact/signals";
import * as analysis from "../model/analysis";
import { playLine } from "../model/document";
import { parseMove } from "../model/game";
import { browse } from "../model/proving";
import { commit, doc, set, settings, tab, view } from "../model/store";
import { Graph } from "./Graph";
import { Button, Title, percent } from "./parts";

/** A line that is shown on the board with numbers. */
export const shownLine = signal<readonly string[]>([]);

const show = (line: readonly string[]) => (shownLine.value = line);
const hide = () => (shownLine.value = []);

/** Puts a line into the record as a variation. Moves that leave stones open end it. */
function playOut(line: readonly string[]): void {
  const d = doc.value;
  const moves: number[][] = [];
  let empty = view.value.cells.filter((c) => c === 0).length;
  for (const text of line) {
    const squares = parseMove(d.game, text);
    const whole = squares && squares.length === Math.min(d.game.p, empty);
    const ends = squares && squares.length > 0 && text === line.at(-1);
    if (!squares || !(whole || ends || (view.value.stones === 0 && moves.length === 0))) break;
    moves.push(squares);
    empty -= squares.length;
  }
  const after = playLine(d, moves);
  // Shown from where it began: the next moves are one key away.
  commit({ ...after, at: d.at });
  hide();
}

export function AnalysePanel() {
  const seen = analysis.seen.value;
  const live = analysis.live.value;
  const forced = analysis.forced.value;
  const over = view.value.toPlace === 0;
  // Go-moku players call a threat a four.
  const threats = doc.value.game.p === 1 && doc.value.game.k === 5 ? "fours" : "threats";
  return (
    <>
      <section class="stack" aria-label="Position">
        <h2>Position</h2>
        <div class="row">
          <label class="check"><input type="checkbox" checked={settings.value.showThreats} onChange={(e) => set("showThreats", e.currentTarget.checked)} /> Threats and defences</label>
          <label class="check"><input type="checkbox" checked={settings.value.showCells} onChange={(e) => set("showCells", e.currentTarget.checked)} /> Threat cells</label>
        </div>
        {seen?.opening && <p>Opening: <strong>{seen.opening}</strong></p>}
        {seen?.threats && (
          <dl class="facts">
            <dt>Black's {threats}</dt><dd>{seen.threats.black} {seen.black_threats.length > 0 && `(${seen.black_threats.join(" ")})`}</dd>
            <dt>White's {threats}</dt><dd>{seen.threats.white} {seen.white_threats.length > 0 && `(${seen.white_threats.join(" ")})`}</dd>
            {(["black", "white"] as const).map((side) => seen[`${side}_rows`].length > 0 && (
              <><dt>{Title(side)}'s rows</dt><dd>{seen[`${side}_rows`].map((row) => `${row.name} ${row.stones.join("")}`).join(", ")}</dd></>
            ))}
            {seen.defences.length > 0 && (<><dt>{Title(seen.to_move)}'s defences</dt><dd>{seen.defences.join(" ")}</dd></>)}
          </dl>
        )}
        {seen?.threats && seen.threats[seen.to_move === "black" ? "white" : "black"] > doc.value.game.p && (
          <p class="note">More {threats} than one move can meet.</p>
        )}
      </section>
      <section class="stack" aria-label="Forced wins">
        <h2>Forced wins</h2>
        {over ? <p class="note">The game is over.</p> : view.value.stones === 0 ? <p class="note">The board is empty.</p> : null}
        {forced.map((win) => (
          <div key={win.attacker} class="card">
            <p><strong>{Title(win.attacker)} wins</strong> by force ({win.class.toUpperCase()}{win.attacker !== view.value.toMove ? ", even if the other side moves first" : ""}).</p>
            <p class="moves" tabIndex={0} onMouseEnter={() => show(win.line)} onMouseLeave={hide} onFocus={() => show(win.line)} onBlur={hide}>{win.line.join(" ")}</p>
            <div class="row">
              <Button onClick={() => playOut(win.line)}>Put the line on the board</Button>
              {win.proof && <Button onClick={() => { tab.value = "prove"; if (win.proof) void browse(win.proof); }}>Browse the proof</Button>}
            </div>
          </div>
        ))}
        {analysis.forcedRunning.value ? <p class="note">Looking …</p> : forced.length === 0 && !over && view.value.stones > 0 && <p class="note">None found by continuous threats within a short search.</p>}
      </section>
      <section class="stack" aria-label="Best moves">
        <h2>Best moves</h2>
        <div class="row">
          <Button primary disabled={over} onClick={() => (analysis.wantLive.value = !analysis.wantLive.value)} aria-pressed={analysis.wantLive.value}>
            {analysis.wantLive.value ? "Stop thinking" : "Think"}
          </Button>
          {live && <span class="note">depth {live.depth}, {live.nodes.toLocaleString("en")} positions, {live.status}{analysis.liveRunning.value ? " …" : ""}</span>}
        </div>
        {live && (
          <table class="candidates">
            <thead><tr><th>Move</th><th>Black's chance</th><th class="number">Score</th></tr></thead>
            <tbody>
              {live.candidates.slice(0, 8).map((c, i) => (
                <tr key={c.move} onMouseEnter={() => show(i === 0 ? live.line : [c.move])} onMouseLeave={hide}>
                  <td><Button onClick={() => playOut(i === 0 ? live.line : [c.move])}>{c.move}</Button></td>
                  <td><span class="chance"><meter aria-label="Black's chance" min={0} max={1} value={c.black_chance} /> {percent(c.black_chance)}</span></td>
                  <td class="number">{(c.score / 1000).toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {live && live.line.length > 1 && <p class="moves">{live.line.join(" ")}</p>}
      </section>
      <section class="stack" aria-label="Graph">
        <h2>Who stands better</h2>
        <div class="row">
          {analysis.standsRunning.value
            ? <Button onClick={analysis.stopEvaluation}>Stop</Button>
            : <Button onClick={analysis.evaluateGame} disabled={analysis.line.value.moves.length === 0}>Evaluate the game</Button>}
        </div>
        <Graph />
      </section>
    </>
  );
}
