import { useSignal } from "@preact/signals";
import type { ProofDoc } from "../engine/schema";
import { specAt } from "../model/document";
import * as proving from "../model/proving";
import { about, complain, doc, engine, keep, read, view } from "../model/store";
import { Button, Field, Title, download } from "./parts";
import { openPicked } from "./RecordPanel";

interface Limits {
  attacker: string;
  /** The highest order of a move. */
  order: number;
  seconds: number;
  memory: number;
  nodes: string;
}

export function ProvePanel() {
  const open = proving.browsing.value;
  return open ? <Browser /> : <Prover />;
}

function Prover() {
  const limits = useSignal<Limits>({ attacker: "", order: 2, seconds: 10, memory: 64, nodes: "", ...read<Limits>("lambda6.limits") });
  const change = (part: Partial<Limits>) => {
    limits.value = { ...limits.value, ...part };
    keep("lambda6.limits", limits.value);
  };
  const most = about.value?.limits;
  const { attacker, order, seconds, memory, nodes } = limits.value;
  const classes = proving.classes.value;
  const kind = classes[order - 1];
  const p = proving.progress.value;
  const found = proving.result.value;
  const start = () =>
    proving.prove({
      position: specAt(doc.value, doc.value.at),
      attacker: attacker || null,
      class: kind?.name ?? null,
      time_ms: Math.round(seconds * 1000),
      memory_mib: memory,
      nodes: nodes === "" ? null : Number(nodes),
    });
  return (
    <>
      <form class="stack" onSubmit={(e) => { e.preventDefault(); start(); }}>
        <h2>Prove a win</h2>
        <Field label="Who should win">
          <select value={attacker} onChange={(e) => change({ attacker: e.currentTarget.value })}>
            <option value="">to move: {view.value.toMove}</option>
            <option value="black">Black</option>
            <option value="white">White</option>
          </select>
        </Field>
        <Field label="With">
          <select value={kind?.name} onChange={(e) => change({ order: e.currentTarget.selectedIndex + 1 })}>
            {classes.map((c) => <option key={c.name} value={c.name}>{c.name.toUpperCase()}: {c.description}</option>)}
          </select>
        </Field>
        {kind && <p class="note">{kind.name.toUpperCase()}: {kind.description}.</p>}
        <div class="row">
          <Field label="Seconds"><input type="number" min={1} max={most ? most.time_ms / 1000 : undefined} value={seconds} onChange={(e) => change({ seconds: Number(e.currentTarget.value) })} /></Field>
          <Field label="Memory, MiB"><input type="number" min={1} max={most?.memory_mib} value={memory} onChange={(e) => change({ memory: Number(e.currentTarget.value) })} /></Field>
          <Field label="Moves tried"><input type="number" min={1} placeholder="any" value={nodes} onChange={(e) => change({ nodes: e.currentTarget.value })} /></Field>
        </div>
        {about.value?.engine === "browser" && (
          <p class="note">The engine runs in this browser, with one thread and {most?.memory_mib} MiB for tables. Searches over hours, and openings with many workers, need <code>lambda6 serve</code>.</p>
        )}
        <div class="row">
          {proving.proving.value
            ? <Button primary onClick={proving.stopProving}>Stop</Button>
            : <button type="submit" class="primary" disabled={view.value.toPlace === 0 || view.value.stones === 0}>Prove it</button>}
        </div>
      </form>
      {proving.proving.value && p && (
        <section class="stack" aria-label="Progress">
          <dl class="facts">
            <dt>Moves tried</dt><dd>{p.nodes.toLocaleString("en")}, depth {p.depth}, {(p.elapsed_ms / 1000).toFixed(1)} s</dd>
            {p.proof_number != null && <><dt>Proof number</dt><dd>{p.proof_number.toLocaleString("en")}</dd></>}
            {p.disproof_number != null && <><dt>Disproof number</dt><dd>{p.disproof_number.toLocaleString("en")}</dd></>}
            {p.defences_left != null && <><dt>Defences left</dt><dd>{p.defences_left.toLocaleString("en")}</dd></>}
            <dt>Current line</dt><dd class="moves">{p.line.join(" ") || "…"}</dd>
          </dl>
        </section>
      )}
      {!proving.proving.value && proving.stopped.value !== null && <p role="status">Stopped after {proving.stopped.value.toLocaleString("en")} moves tried: nothing is known.</p>}
      {proving.checked.value && <p role="status">Checking: {proving.checked.value.replies.toLocaleString("en")} replies …</p>}
      {found && (
        <section class="card" aria-label="Result">
          {found.proof ? (
            <>
              <p><strong>Proved: {Title(found.attacker)} wins</strong> ({found.class.toUpperCase()}, {found.proof.longest} moves, {found.nodes.toLocaleString("en")} tried, {(found.elapsed_ms / 1000).toFixed(2)} s).</p>
              <p class="moves">{found.line.join(" ")}</p>
              <div class="row">
                <Button primary onClick={() => found.proof && void proving.browse(found.proof)}>Browse the proof</Button>
                <Button onClick={() => found.proof && void save(found.proof)}>Download the certificate</Button>
              </div>
            </>
          ) : (
            <>
              <p><strong>Not proved.</strong> {found.class.toUpperCase()}: {found.reason} ({found.nodes.toLocaleString("en")} moves tried, {(found.elapsed_ms / 1000).toFixed(2)} s)</p>
              {found.next && <p class="note">{found.next}</p>}
            </>
          )}
        </section>
      )}
      <section class="stack" aria-label="Certificates">
        <h2>Check a certificate</h2>
        <p class="note">Drop it anywhere on the page, plain or compressed, or choose it here.</p>
        <label class="button">
          Open a certificate …
          <input type="file" class="hidden" onChange={(e) => openPicked(e.currentTarget)} />
        </label>
      </section>
    </>
  );
}

async function save(proof: ProofDoc): Promise<void> {
  try {
    download(await engine().certificate(proof.id), `${proof.attacker}-wins.proof`, "text/plain");
  } catch (error) {
    complain(error);
  }
}

/** How many of the defender's moves are listed. */
const MOST_LISTED = 60;

function Browser() {
  const b = proving.browsing.value;
  if (!b) return null;
  const { proof, answer, defences } = b;
  const defender = proof.attacker === "black" ? "White" : "Black";
  const state = !answer ? "" : answer.status === "won"
    ? `${Title(proof.attacker)} has won.`
    : answer.status === "unstoppable"
      ? `More threats than ${defender} can meet. Try any move.`
      : `${defender} to move: try any defence on the board.`;
  return (
    <>
      <section class="stack" aria-label="Proof">
        <h2>Proof: {Title(proof.attacker)} wins</h2>
        <p class="note">Checked: {proof.replies.toLocaleString("en")} replies ({proof.method}), longest line {proof.longest} moves.</p>
        {!proof.browsable && <p>This proof is valid, but too long to be browsed here.</p>}
        {answer?.reply && <p>{Title(proof.attacker)}'s answer: <strong>{answer.reply}</strong></p>}
        <p role="status" class="state">{state}</p>
        {answer && defences.length > 0 && answer.answers && answer.answers !== defences.at(-1) && (
          <p class="note">It answers {answer.answers === "-" ? "any move" : answer.answers}: the other stones make no difference.</p>
        )}
        <div class="row">
          <Button onClick={proving.back} disabled={defences.length === 0}>Take back</Button>
          <Button onClick={() => void proving.browse(proof)} disabled={defences.length === 0}>From the start</Button>
          <Button onClick={() => void save(proof)}>Download the certificate</Button>
          <Button onClick={proving.close}>Close the proof</Button>
        </div>
      </section>
      {answer && answer.zones.length > 0 && (
        <section aria-label="Zones"><fieldset class="tools">
          <legend>Relevance zones before the answer</legend>
          {["none", ...answer.zones.map((_, i) => `Z${i + 1}`)].map((name, i) => (
            <label key={name}><input type="radio" name="zone" checked={proving.shownZone.value === i} onChange={() => (proving.shownZone.value = i)} /> {i > 0 && <i class="swatch" style={{ "--colour": `var(--zone-${Math.min(i, 3)})` }} />}{name}{i > 0 && ` (${answer.zones[i - 1]?.length})`}</label>
          ))}
        </fieldset></section>
      )}
      {answer && answer.status === "open" && (
        <section class="stack" aria-label="Defences">
          <h2>{answer.named.length} defences are answered one by one</h2>
          <div class="row">
            {answer.named.slice(0, MOST_LISTED).map((name) => (
              <Button key={name} onClick={() => proving.defend(name)}>{name === "-" ? "pass" : name}</Button>
            ))}
            {answer.named.length > MOST_LISTED && <span class="note">and {answer.named.length - MOST_LISTED} more</span>}
          </div>
        </section>
      )}
      {answer && answer.moves.length > 0 && <p class="moves"><span class="note">Moves so far: </span>{answer.moves.join(" ")}</p>}
    </>
  );
}
