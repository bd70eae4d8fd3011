/** A proof that is browsed: any defence on the board, the answer at once. */
import { useSignal } from "@preact/signals";
import type { DefenceDoc, ProofDoc } from "../engine/schema";
import * as browsing from "../model/browsing";
import { complain, engine } from "../model/store";
import { Button, Meter, Title, download } from "./parts";
import { Term } from "./Term";

export async function saveProof(proof: ProofDoc): Promise<void> {
  try {
    download(await engine().certificate(proof.id), `${proof.attacker}-wins.proof`, "text/plain");
  } catch (error) {
    complain(error);
  }
}

export function ProofBrowser() {
  const b = browsing.browsing.value;
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
        <p class="note"><Term name="proof">Checked</Term>: {proof.replies.toLocaleString("en")} replies (<Term name="method">{proof.method}</Term>), longest line {proof.longest} moves.</p>
        {!proof.browsable && <p>This proof is valid, but too long to be browsed here.</p>}
        {answer?.reply && <p>{Title(proof.attacker)}'s answer: <strong>{answer.reply}</strong></p>}
        <p role="status" class="state">{state}</p>
        {answer && defences.length > 0 && answer.answers && answer.answers !== defences.at(-1) && (
          <p class="note">It answers {answer.answers === "-" ? "any move" : answer.answers}: the other stones make no difference.</p>
        )}
        <div class="row">
          <Button onClick={browsing.back} disabled={defences.length === 0}>Take back</Button>
          <Button onClick={() => void browsing.browse(proof)} disabled={defences.length === 0}>From the start</Button>
          <Button onClick={() => void saveProof(proof)}>Download the certificate</Button>
          <Button onClick={browsing.leave}>Close the proof</Button>
        </div>
      </section>
      {answer && answer.status === "open" && answer.named.length > 0 && <Defences named={answer.named} attacker={Title(proof.attacker)} />}
      {answer && answer.zones.length > 0 && (
        <section aria-label="Zones"><fieldset class="tools">
          <legend><Term name="zone">Relevance zones</Term> before the answer</legend>
          {["none", ...answer.zones.map((_, i) => `Z${i + 1}`)].map((name, i) => (
            <label key={name}><input type="radio" name="zone" checked={browsing.shownZone.value === i} onChange={() => (browsing.shownZone.value = i)} /> {i > 0 && <i class="swatch" style={{ "--colour": `var(--zone-${Math.min(i, 3)})` }} />}{name}{i > 0 && ` (${answer.zones[i - 1]?.length})`}</label>
          ))}
        </fieldset></section>
      )}
      {answer && answer.moves.length > 0 && <p class="moves"><span class="note">Moves so far: </span>{answer.moves.join(" ")}</p>}
    </>
  );
}

/** How many defences are listed at first: the board shows all of them. */
const LISTED = 12;

function Defences({ named, attacker }: { named: readonly DefenceDoc[]; attacker: string }) {
  const all = useSignal(false);
  const most = named[0]?.longest ?? 0;
  const shown = all.value ? named : named.slice(0, LISTED);
  return (
    <section class="stack" aria-label="Defences">
      <h2>{named.length === 1 ? "1 defence is" : `${named.length} defences are`} answered one by one</h2>
      <p class="note">Painted on the board by how long they resist: the number is that of {attacker}'s moves. Every other move is met in the same way as one of these, or leaves a threat.</p>
      <ol class="defences">
        {shown.map((d) => (
          <li key={d.move}>
            <Button onClick={() => browsing.defend(d.move)}>{d.move === "-" ? "pass" : d.move}</Button>
            <Meter value={d.longest} most={most} />
            <span class="note">{d.longest} {d.longest === 1 ? "move" : "moves"}, {d.replies.toLocaleString("en")} {d.replies === 1 ? "reply" : "replies"}</span>
          </li>
        ))}
      </ol>
      {named.length > LISTED && <div class="row"><Button onClick={() => (all.value = !all.value)}>{all.value ? "Show the strongest only" : `Show all ${named.length}`}</Button></div>}
    </section>
  );
}
