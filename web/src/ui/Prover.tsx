/** The solver: its question, its progress, its answer. */
import type { SolveDoc, VerifyDoc } from "../engine/schema";
import { browse, checked } from "../model/browsing";
import { play } from "../model/document";
import { moveName, other, parseMove } from "../model/game";
import { classTerm } from "../model/glossary";
import * as jobs from "../model/jobs";
import * as proving from "../model/proving";
import { about, commit, doc, tab, view } from "../model/store";
import { Line } from "./Line";
import { saveProof } from "./ProofBrowser";
import { openPicked } from "./RecordPanel";
import { Button, Field, Title } from "./parts";
import { Term } from "./Term";

const count = (n: number) => n.toLocaleString("en");
const clock = (ms: number) => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`);

export function Prover() {
  const running = proving.proving.value || proving.verifyRunning.value;
  return (
    <>
      <Question />
      {running && <Progress />}
      <Outcome />
      {proving.verifiedHere.value && <Verified found={proving.verifiedHere.value} />}
      <section class="stack" aria-label="Certificates">
        <h2>Check a <Term name="certificate">certificate</Term></h2>
        <p class="note">Drop it anywhere on the page, plain or compressed, or choose it here.</p>
        <label class="button">
          Open a certificate …
          <input type="file" class="hidden" onChange={(e) => openPicked(e.currentTarget)} />
        </label>
      </section>
    </>
  );
}

function Question() {
  const most = about.value?.limits;
  const { attacker, order, memory, nodes, seconds } = proving.limits.value;
  const kind = proving.kind.value;
  const impossible = view.value.toPlace === 0 || view.value.stones === 0;
  const running = proving.proving.value || proving.verifyRunning.value;
  const threads = order > 2 ? (most?.threads ?? 1) : 1;
  const stop = () => (proving.proving.value ? proving.stopProving() : proving.stopVerifying());
  return (
    <form class="stack" onSubmit={(e) => { e.preventDefault(); proving.prove(); }}>
      <h2>Prove a win</h2>
      <Field label="Who should win">
        <select value={attacker} onChange={(e) => proving.change({ attacker: e.currentTarget.value })}>
          <option value="">to move: {view.value.toMove}</option>
          <option value="black">Black</option>
          <option value="white">White</option>
        </select>
      </Field>
      <Field label="With">
        <select value={kind?.name} onChange={(e) => proving.change({ order: e.currentTarget.selectedIndex + 1 })}>
          {proving.classes.value.map((c) => <option key={c.name} value={c.name}>{c.name.toUpperCase()}: {c.description}</option>)}
        </select>
      </Field>
      {kind && <p class="note"><Term name={classTerm(kind.name)}>{kind.name.toUpperCase()}</Term>: {kind.description}. <Term name="class">Which class?</Term></p>}
      <div class="row">
        <Field label="Seconds"><input type="number" min={1} max={most ? most.time_ms / 1000 : undefined} value={proving.seconds.value} onChange={(e) => proving.change({ seconds: { ...seconds, [order]: Number(e.currentTarget.value) } })} /></Field>
        <Field label="Memory, MiB"><input type="number" min={1} max={most?.memory_mib} value={memory} onChange={(e) => proving.change({ memory: Number(e.currentTarget.value) })} /></Field>
        <Field label="Moves tried"><input type="number" min={1} placeholder="any" value={nodes} onChange={(e) => proving.change({ nodes: e.currentTarget.value })} /></Field>
      </div>
      {about.value?.engine === "browser"
        ? <p class="note">The engine runs in this browser, with one thread and {most?.memory_mib} MiB for tables. Searches over hours, and openings with many workers, need <code>lambda6 serve</code>.</p>
        : <p class="note">{threads > 1 ? `All ${threads} cores search.` : "One core searches."} {about.value?.jobs && <Button class="link" onClick={handOver} disabled={impossible}>Hand it over to a search with many jobs</Button>}</p>}
      {view.value.stones === 0 && <p class="note">The board is empty: play or open a position first.</p>}
      <div class="row">
        {running
          ? <Button primary onClick={stop}>Stop</Button>
          : (
            <>
              <button type="submit" class="primary" disabled={impossible}>Prove it</button>
              <Button disabled={impossible} onClick={proving.verify}>Which defences are left?</Button>
              <Term name="verify">?</Term>
            </>
          )}
      </div>
    </form>
  );
}

/** Lets the job-level search begin with the same question. */
function handOver(): void {
  const v = view.value;
  const name = v.last.length > 0 ? `after-${moveName(doc.value.game, v.last)}-${v.ply}` : "position";
  jobs.draft.value = { name, attacker: proving.limits.value.attacker };
  jobs.leave();
  tab.value = "search";
}

function Progress() {
  const p = proving.progress.value;
  const v = proving.verifying.value;
  if (proving.verifyRunning.value) {
    return (
      <section class="stack" aria-label="Progress">
        <p role="status">Trying each defence{v ? `: at ${v.at === "-" ? "a pass" : v.at}, ${count(v.left)} sets of stones left, ${clock(v.elapsed_ms)}` : ""} …</p>
      </section>
    );
  }
  if (!p) return <section class="stack" aria-label="Progress"><p role="status">Searching …</p></section>;
  return (
    <section class="stack" aria-label="Progress">
      <dl class="facts">
        <dt>Moves tried</dt><dd>{count(p.nodes)}, depth {p.depth}, {clock(p.elapsed_ms)}</dd>
        {p.proof_number != null && <><dt><Term name="proof-number" /></dt><dd>{count(p.proof_number)}</dd></>}
        {p.disproof_number != null && <><dt><Term name="disproof-number" /></dt><dd>{count(p.disproof_number)}</dd></>}
        {p.defences_left != null && <><dt><Term name="defences-left" /></dt><dd>{count(p.defences_left)}</dd></>}
        <dt>Current line</dt><dd class="moves">{p.line.join(" ") || "…"}</dd>
      </dl>
    </section>
  );
}

function Outcome() {
  if (proving.proving.value) return null;
  const [found, stopped] = [proving.result.value, proving.stopped.value];
  if (checked.value) return <p role="status">Checking: {count(checked.value.replies)} replies …</p>;
  if (found) return <Result found={found} />;
  if (stopped === null) return null;
  return (
    <section class="stack" aria-label="Stopped">
      <p role="status">Stopped after {count(stopped)} moves tried: nothing is known yet.</p>
      <GoOn />
    </section>
  );
}

function GoOn() {
  return (
    <>
      <div class="row">
        <Button primary disabled={!proving.isAsked.value} onClick={proving.goOn}>Go on</Button>
        <span class="note">for {proving.seconds.value} s more, with all that was found so far</span>
      </div>
      {!proving.isAsked.value && <p class="note">Another position is on the board: go back to it to go on.</p>}
    </>
  );
}

function Result({ found }: { found: SolveDoc }) {
  const { proof } = found;
  const kind = <Term name={classTerm(found.class)}>{found.class.toUpperCase()}</Term>;
  if (proof) {
    return (
      <section class="card" aria-label="Result">
        <p><strong>Proved: {Title(found.attacker)} wins</strong> ({kind}, {proof.longest} moves, {count(found.nodes)} tried, {clock(found.elapsed_ms)}).</p>
        {proving.isAsked.value ? <Line moves={found.line} /> : <p class="moves">{found.line.join(" ")}</p>}
        <div class="row">
          <Button primary onClick={() => void browse(proof)}>Browse the proof</Button>
          <Button onClick={() => void saveProof(proof)}>Download the certificate</Button>
        </div>
      </section>
    );
  }
  return (
    <section class="card" aria-label="Result">
      <p><strong>Not proved.</strong> {kind}: {found.reason} ({count(found.nodes)} moves tried, {clock(found.elapsed_ms)})</p>
      {found.next && <p class="note">{found.next}</p>}
      {found.resumable && <GoOn />}
    </section>
  );
}

/** How many of the refuted sets are listed. */
const MOST_LISTED = 40;

function Verified({ found }: { found: VerifyDoc }) {
  const { open, refuted, proof } = found;
  const defender = Title(found.defender);
  const attacker = Title(found.defender === "black" ? "white" : "black");
  const show = (move: string) => {
    const squares = parseMove(doc.value.game, move);
    if (!squares) return;
    commit(play(doc.value, squares));
    proving.change({ attacker: other(found.defender as "black" | "white") });
  };
  return (
    <section class="card" aria-label="Verified">
      {proof
        ? <p><strong>Proved: every defence loses.</strong> {attacker} wins.</p>
        : <p><strong>{open.length} {open.length === 1 ? "defence is" : "defences are"} not refuted</strong>{open.length > 0 ? ": painted on the board" : ""}. Within {found.class.toUpperCase()}, a second for each.</p>}
      {found.incomplete && <p class="note">{found.incomplete}</p>}
      {proof && <div class="row"><Button primary onClick={() => void browse(proof)}>Browse the proof</Button></div>}
      {open.length > 0 && <div class="row" role="group" aria-label="Defences left">{open.map((move) => <Button key={move} onClick={() => show(move)}>{move}</Button>)}</div>}
      {refuted.length > 0 && (
        <details>
          <summary>{count(refuted.length)} sets of stones are refuted</summary>
          <table>
            <thead><tr><th>{defender} plays</th><th>{attacker} answers</th><th class="number">Wins in</th></tr></thead>
            <tbody>
              {refuted.slice(0, MOST_LISTED).map((r) => (
                <tr key={r.stones}><td>{r.stones === "-" ? "anything elsewhere" : `${r.stones}${r.spare > 0 ? " and anything outside the zone" : ""}`}</td><td>{r.reply}</td><td class="number">{r.moves}</td></tr>
              ))}
            </tbody>
          </table>
          {refuted.length > MOST_LISTED && <p class="note">and {count(refuted.length - MOST_LISTED)} more</p>}
        </details>
      )}
    </section>
  );
}
