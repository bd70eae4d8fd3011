import * as analysis from "../model/analysis";
import { browse } from "../model/browsing";
import type { Side } from "../model/game";
import { classTerm } from "../model/glossary";
import { chanceOf, outlookText, percent, quality, viewed } from "../model/outlook";
import { type Settings, doc, set, settings, tab, view } from "../model/store";
import { Graph } from "./Graph";
import { Line, playOut } from "./Line";
import { Button, Field, Meter, Title } from "./parts";
import { Term } from "./Term";

export function AnalysePanel() {
  return (
    <>
      <Position />
      <ForcedWins />
      <BestMoves />
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

function Position() {
  const seen = analysis.seen.value;
  // Go-moku players call a threat a four.
  const threats = doc.value.game.p === 1 && doc.value.game.k === 5 ? "fours" : "threats";
  const legend: readonly [string, string][] = seen ? [
    ["own-threat", `${Title(seen.to_move)} can complete a row`],
    ["threat", `${Title(seen.to_move === "black" ? "white" : "black")}'s threats`],
    ["defence", "Squares that meet them"],
  ] : [];
  const painted = seen && seen[`${seen.to_move === "black" ? "white" : "black"}_threats`].length + seen[`${seen.to_move as Side}_threats`].length > 0;
  return (
    <section class="stack" aria-label="Position">
      <h2>Position</h2>
      <div class="row">
        <label class="check"><input type="checkbox" checked={settings.value.showThreats} onChange={(e) => set("showThreats", e.currentTarget.checked)} /> Threats and defences</label>
        <span class="check">
          <label class="check"><input type="checkbox" checked={settings.value.showCells} onChange={(e) => set("showCells", e.currentTarget.checked)} /> Threat cells</label>
          <Term name="cells">?</Term>
        </span>
      </div>
      {seen?.opening && <p><Term name="opening">Opening</Term>: <strong>{seen.opening}</strong></p>}
      {seen?.threats && (
        <dl class="facts">
          <dt>Black's <Term name="threat">{threats}</Term></dt><dd>{seen.threats.black} {seen.black_threats.length > 0 && `(${seen.black_threats.join(" ")})`}</dd>
          <dt>White's <Term name="threat">{threats}</Term></dt><dd>{seen.threats.white} {seen.white_threats.length > 0 && `(${seen.white_threats.join(" ")})`}</dd>
          {(["black", "white"] as const).map((side) => seen[`${side}_rows`].length > 0 && (
            <><dt>{Title(side)}'s rows</dt><dd>{seen[`${side}_rows`].map((row) => `${row.name} ${row.stones.join("")}`).join(", ")}</dd></>
          ))}
          {seen.defences.length > 0 && (<><dt>{Title(seen.to_move)}'s <Term name="defence">defences</Term></dt><dd>{seen.defences.join(" ")}</dd></>)}
        </dl>
      )}
      {painted && settings.value.showThreats && (
        <ul class="legend" aria-label="Colours">{legend.map(([kind, text]) => <li key={kind}><i class={`key ${kind}`} /> {text}</li>)}</ul>
      )}
      {seen?.threats && seen.threats[seen.to_move === "black" ? "white" : "black"] > doc.value.game.p && (
        <p class="note">More {threats} than one move can meet.</p>
      )}
    </section>
  );
}

function ForcedWins() {
  const forced = analysis.forced.value;
  const over = view.value.toPlace === 0;
  const empty = view.value.stones === 0;
  return (
    <section class="stack" aria-label="Forced wins">
      <h2><Term name="forced-win">Forced wins</Term></h2>
      {over ? <p class="note">The game is over.</p> : empty ? <p class="note">The board is empty.</p> : null}
      {forced.map((win) => (
        <div key={win.attacker} class="card">
          <p><strong>{Title(win.attacker)} wins</strong> by force (<Term name={classTerm(win.class)}>{win.class.toUpperCase()}</Term>{win.attacker !== view.value.toMove ? ", even if the other side moves first" : ""}){win.proof && ` in ${win.proof.longest} (proved)`}.</p>
          <Line moves={win.line} />
          {win.proof && <div class="row"><Button onClick={() => { tab.value = "prove"; if (win.proof) void browse(win.proof); }}>Browse the proof</Button></div>}
        </div>
      ))}
      {analysis.forcedRunning.value ? <p class="note">Looking …</p> : forced.length === 0 && !over && !empty && <p class="note">None found by continuous threats within a short search.</p>}
    </section>
  );
}

function BestMoves() {
  const live = analysis.live.value;
  const over = view.value.toPlace === 0;
  const side = viewed.value;
  const best = live?.candidates[0];
  return (
    <section class="stack" aria-label="Best moves">
      <h2>Best moves</h2>
      <div class="row">
        <Button primary disabled={over} onClick={() => (analysis.wantLive.value = !analysis.wantLive.value)} aria-pressed={analysis.wantLive.value}>
          {analysis.wantLive.value ? "Stop thinking" : "Think"}
        </Button>
        {live && <span class="note"><Term name="depth">depth</Term> {live.depth}, {live.nodes.toLocaleString("en")} positions, <Term name="status">{live.status}</Term>{analysis.liveRunning.value ? " …" : ""}</span>}
      </div>
      {live && (
        <>
          <Field label="Chances, scores and verdicts are for">
            <select value={settings.value.view} onChange={(e) => set("view", e.currentTarget.value as Settings["view"])}>
              <option value="mover">the side to move: {Title(view.value.toMove)}</option>
              <option value="black">Black</option>
              <option value="white">White</option>
            </select>
          </Field>
          <table class="candidates">
            <thead><tr><th><Term name="quality">Move</Term></th><th>{Title(side)}'s <Term name="chance">chance</Term></th><th class="number"><Term name="score">Score</Term></th></tr></thead>
            <tbody>{live.candidates.slice(0, 8).map((c) => <Row key={c.move} candidate={c} best={best ?? c} side={side} />)}</tbody>
          </table>
        </>
      )}
      {best && best.line.length > 1 && (
        <>
          <h3>What is expected to follow</h3>
          <Line moves={best.line} label="Expected line" />
        </>
      )}
    </section>
  );
}

function Row({ candidate, best, side }: { candidate: analysis.Candidate; best: analysis.Candidate; side: Side }) {
  const settled = analysis.settled.value.get(candidate.move);
  const c = settled && settled !== "no proof" ? settled : candidate;
  const mover = view.value.toMove;
  const chance = chanceOf(side, c.black_chance);
  const score = (c.score / 1000) * (side === mover ? 1 : -1);
  const show = () => {
    if (!analysis.shownLine.value?.stays) analysis.shownLine.value = { moves: c.line, count: c.line.length, stays: false };
  };
  const hide = () => {
    if (!analysis.shownLine.value?.stays) analysis.shownLine.value = null;
  };
  const { proof } = c;
  return (
    <tr class={`quality-${quality(best, c, mover)}`} onMouseEnter={show} onMouseLeave={hide}>
      <td><Button onClick={() => playOut(c.line)}><i class="grade" /> {c.move}</Button></td>
      {c.outlook ? (
        <td colSpan={2} class="verdict">
          <Term name="outlook">{outlookText(c.outlook, side)}</Term>
          {proof
            ? <Button onClick={() => { tab.value = "prove"; void browse(proof); }}>Proof</Button>
            : settled === "no proof" ? <span class="note">no proof found</span>
              : <Button disabled={analysis.settling.value !== null} onClick={() => analysis.settle(c)}>{analysis.settling.value === c.move ? "Proving …" : "Prove it"}</Button>}
        </td>
      ) : (
        <>
          <td><span class={`chance ${side}`}><Meter label={`${Title(side)}'s chance`} value={chance} /> {percent(chance)}</span></td>
          <td class="number">{score > 0 ? "+" : score < 0 ? "−" : ""}{Math.abs(score).toFixed(2)}</td>
        </>
      )}
    </tr>
  );
}
