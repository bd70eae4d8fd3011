/** A review of the game on the board: open or paste one, one press, and see what it turned on. */
import { useSignal } from "@preact/signals";
import type { ReviewDoc, ReviewSideDoc, ReviewedMove, ReviewedPosition } from "../engine/schema";
import { line, shownLine } from "../model/analysis";
import { browse } from "../model/browsing";
import * as collection from "../model/collection";
import { fromRecord } from "../model/document";
import * as reviewing from "../model/reviewing";
import { complain, doc, engine, go, link, open, tab, tell } from "../model/store";
import { Chart } from "./Chart";
import { Collection } from "./Collection";
import { Line } from "./Line";
import { openFile } from "./RecordPanel";
import { Button, Field, Title, download } from "./parts";
import { Term } from "./Term";

const { GRADES } = reviewing;
const share = (loss: number) => `${Math.round(loss * 100)} %`;

export function ReviewPanel() {
  const now = reviewing.reviewed.value;
  return (
    <>
      <Begin />
      {collection.games.value.length > 0 && <Collection />}
      {now && <Course now={now} />}
      {now?.review && <Verdict review={now.review} />}
      {now && <Here now={now} />}
      {now && <Mistakes now={now} />}
      {now?.review && <Sides review={now.review} />}
      {now?.review && <Share />}
    </>
  );
}

function Begin() {
  const text = useSignal("");
  const running = reviewing.running.value;
  const { moves } = line.value;
  const now = reviewing.reviewed.value;
  const openAny = async (content: Uint8Array) => {
    const games = collection.split(content);
    try {
      if (games.length > 1) await collection.open(games);
      else if (await openFile(content)) {
        tab.value = "review";
        if (line.value.moves.length > 0) reviewing.start();
      } else return;
      text.value = "";
    } catch (error) {
      complain(error);
    }
  };
  const pick = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    input.value = "";
    if (file) void file.arrayBuffer().then((buffer) => openAny(new Uint8Array(buffer)));
  };
  return (
    <section class="stack" aria-label="Game to review">
      <h2>Review a game</h2>
      {moves.length === 0 && <p class="note">Open or paste a game, or play one: then see who stood better where, the mistakes, and the wins that were missed.</p>}
      <div class="row">
        {running
          ? <Button primary onClick={reviewing.stop}>Stop</Button>
          : <Button primary disabled={moves.length === 0} onClick={reviewing.start}>{now && !now.review ? "Go on with the review" : now ? "Review it again" : "Review this game"}</Button>}
        <select aria-label="How thorough" value={reviewing.effort.value} onChange={(e) => reviewing.chooseEffort(e.currentTarget.value)}>
          {reviewing.EFFORTS.map(([name]) => <option key={name} value={name}>{name}</option>)}
        </select>
        <label class="button">
          Open a game …
          <input type="file" class="hidden" onChange={(e) => pick(e.currentTarget)} />
        </label>
      </div>
      {running && now && <progress aria-label="Positions looked at" max={now.total} value={now.done} />}
      <Field label="Or paste one game or many: SGF, a list of moves">
        <textarea rows={2} value={text.value} placeholder="j10 i8h9 k11l10" spellcheck={false} onInput={(e) => (text.value = e.currentTarget.value)} />
      </Field>
      {text.value.trim() !== "" && <div class="row"><Button onClick={() => void openAny(new TextEncoder().encode(text.value))}>Open and review</Button></div>}
    </section>
  );
}

function Course({ now }: { now: reviewing.Reviewing }) {
  const { ids } = line.value;
  const marks = [...now.moves.values()].flatMap((m) => (GRADES[m.quality] ? [{ after: m.number, grade: GRADES[m.quality] ?? 0 }] : []));
  return (
    <section class="stack" aria-label="Course of the game">
      <Chart ids={ids} here={ids.indexOf(doc.value.at)} points={[...now.positions.values()]} marks={marks} />
      <p class="note">Black's chance after each move. Dots are mistakes: <span class="key-grade quality-1">small</span>, <span class="key-grade quality-2">large</span>, <span class="key-grade quality-3">decisive</span>. Touch the chart to go there.</p>
    </section>
  );
}

function Verdict({ review }: { review: ReviewDoc }) {
  const { turning, winner } = review;
  const { ids } = line.value;
  const before = turning ? ids[turning.number - 1] : undefined;
  return (
    <section class="stack" aria-label="Verdict">
      <p><strong>{winner ? `${Title(winner)} won.` : "Nobody won."}</strong>{!review.complete && " Not all positions were looked at."}</p>
      {turning && before !== undefined && (
        <div class="card">
          <p>The last move at which {Title(turning.loser)} could have held: <strong>move {turning.number}</strong>. After it the game is lost (<Term name="outlook">{turning.loss_is_proved ? "proved" : "search"}</Term>).</p>
          {turning.better.length > 0 && (
            <>
              <p>Better{turning.better_is_proved ? ", and a proved win" : ""}: <strong>{turning.better[0]}</strong></p>
              <div class="row"><Button onClick={() => showBetter(before, turning.better)}>Show it on the board</Button></div>
            </>
          )}
        </div>
      )}
    </section>
  );
}

/** Goes to a position, and to the board, which a long list leaves behind on a phone. */
function show(id: number): void {
  go(id);
  document.querySelector(".board")?.scrollIntoView({ block: "nearest" });
}

/** Goes to a position, and shows a line from there. */
function showBetter(id: number, moves: readonly string[]): void {
  show(id);
  shownLine.value = { moves, count: 1, stays: true };
}

/** What the review says of the position that is shown. */
function Here({ now }: { now: reviewing.Reviewing }) {
  const at = line.value.ids.indexOf(doc.value.at);
  const position = now.positions.get(at);
  const move = now.moves.get(at);
  if (!position) return null;
  const moves = position.line ?? [];
  return (
    <section class="stack" aria-label="This position">
      <h2>{at === 0 ? "The start" : `After move ${at}`}: {position.verdict}</h2>
      {move && (GRADES[move.quality] || move.strong || move.missed_win) && <p class={`graded quality-${GRADES[move.quality] ?? 0}`}><i class="grade" /> {move.remark || `${move.move}: ${move.quality}`}</p>}
      {moves.length > 0 && (
        <>
          <h3>{position.winner && position.winner !== position.to_move ? "The longest defence" : "Best from here"}</h3>
          <Line moves={moves} />
        </>
      )}
      {position.proof && <div class="row"><ProofButton position={position} text="Browse the proof" /></div>}
    </section>
  );
}

function ProofButton({ position, text }: { position: ReviewedPosition | undefined; text: string }) {
  const proof = position?.proof;
  if (!proof) return null;
  return <Button onClick={() => { tab.value = "prove"; void browse(proof); }}>{text}</Button>;
}

/** How many mistakes are listed at first. */
const LISTED = 8;

function Mistakes({ now }: { now: reviewing.Reviewing }) {
  const all = useSignal(false);
  const judged = [...now.moves.values()];
  const mistakes = judged.filter((m) => GRADES[m.quality] || m.missed_win).sort((a, b) => Number(b.missed_win) * 0.001 + b.loss - a.loss - Number(a.missed_win) * 0.001);
  if (mistakes.length === 0) {
    return now.review && <section aria-label="Mistakes"><p>No mistakes were found.</p></section>;
  }
  const shown = all.value ? mistakes : mistakes.slice(0, LISTED);
  return (
    <section class="stack" aria-label="Mistakes">
      <h2>{mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`}, the largest first</h2>
      <ol class="mistakes">{shown.map((m) => <Mistake key={m.number} move={m} now={now} />)}</ol>
      {mistakes.length > LISTED && <div class="row"><Button onClick={() => (all.value = !all.value)}>{all.value ? "Show the largest only" : `Show all ${mistakes.length}`}</Button></div>}
    </section>
  );
}

function Mistake({ move, now }: { move: ReviewedMove; now: reviewing.Reviewing }) {
  const { ids } = line.value;
  const [before, after] = [now.positions.get(move.number - 1), now.positions.get(move.number)];
  const [idBefore, idAfter] = [ids[move.number - 1], ids[move.number]];
  const better = before?.line ?? [];
  return (
    <li class={idAfter === doc.value.at ? "here" : ""}>
      <button type="button" class="mistake" onClick={() => idAfter !== undefined && show(idAfter)}>
        <i class={`grade quality-${GRADES[move.quality] ?? 0}`} />
        <i class={`stone-dot ${move.side}`} />
        <span>{move.number}. {move.move}</span>
        <span class="note">{move.missed_win ? "missed a forced win" : move.quality}</span>
        <span class="number">−{share(move.loss)}</span>
      </button>
      {idAfter === doc.value.at && <p class="note">{move.remark}</p>}
      <div class="row">
        {better.length > 0 && idBefore !== undefined && <Button onClick={() => showBetter(idBefore, better)}>Better: {better[0]}</Button>}
        {move.missed_win && <ProofButton position={before} text="Proof of the missed win" />}
        {move.loses_by_proof && <ProofButton position={after} text="Proof that it loses" />}
      </div>
    </li>
  );
}

function Sides({ review }: { review: ReviewDoc }) {
  const rows: readonly [string, (side: ReviewSideDoc) => string | number][] = [
    ["Lost by a move, on average", (s) => share(s.average_loss)],
    ["Inaccuracies", (s) => s.inaccuracies],
    ["Mistakes", (s) => s.mistakes],
    ["Blunders", (s) => s.blunders],
    ["Forced wins missed", (s) => s.missed_wins],
    ["Moves proved to lose", (s) => s.proved_mistakes],
  ];
  const { info } = doc.value;
  return (
    <section class="stack" aria-label="Players">
      <table>
        <thead><tr><th /><th class="number">{info.black || "Black"}</th><th class="number">{info.white || "White"}</th></tr></thead>
        <tbody>{rows.map(([name, of]) => <tr key={name}><td>{name}</td><td class="number">{of(review.black)}</td><td class="number">{of(review.white)}</td></tr>)}</tbody>
      </table>
    </section>
  );
}

function Share() {
  const attempt = (work: () => Promise<void>) => void work().catch(complain);
  const saveRecord = async () => {
    const record = await reviewing.annotated();
    if (record) download(await engine().writeRecord({ record, format: "little-golem", lossy: false }), "review.sgf", "application/octet-stream");
  };
  const intoRecord = async () => {
    const record = await reviewing.annotated();
    if (!record) return;
    open(fromRecord(record));
    tab.value = "record";
  };
  const savePage = async () => {
    const page = await reviewing.asPage();
    if (page) download(page, "review.html", "text/html");
  };
  const copyLink = () =>
    navigator.clipboard.writeText(link.value.replace("#", "#tab=review&")).then(() => tell("The link is in the clipboard."), () => tell(link.value));
  return (
    <section class="stack" aria-label="Keep and share">
      <h2>Keep and share</h2>
      <div class="row">
        <Button onClick={() => attempt(saveRecord)}>Save as SGF</Button>
        <Button onClick={() => attempt(intoRecord)}>Put it into the record</Button>
        <Button onClick={() => attempt(savePage)}>Save as a page</Button>
        <Button onClick={() => void copyLink()}>Copy a link</Button>
      </div>
      <p class="note">The SGF has comments, marks, and better lines as variations. The page is one file with board, chart and proofs: send it to anybody.</p>
    </section>
  );
}
