import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AtlasEntry } from "../engine/schema";
import { seen } from "../model/analysis";
import { newDoc, playLine } from "../model/document";
import { CONNECT6, parseMove } from "../model/game";
import { complain, engine, open } from "../model/store";
import { Button, Field, Title } from "./parts";

const atlas = signal<readonly AtlasEntry[]>([]);
/** Rows that are drawn; the filters find the others. */
const MOST_ROWS = 100;

export function AtlasPanel() {
  useEffect(() => {
    if (atlas.value.length === 0) engine().atlas().then((found) => (atlas.value = found.openings), complain);
  }, []);
  const name = useSignal("");
  const status = useSignal("");
  const here = seen.value?.opening;
  const wanted = name.value.trim().toUpperCase();
  const rows = atlas.value
    .filter((e) => (status.value === "" || e.status === status.value) && e.name.includes(wanted))
    .sort((a, b) => Number(b.name === here) - Number(a.name === here));
  const show = (e: AtlasEntry, third: boolean) => {
    const moves = [...e.moves, ...(third && e.third ? [e.third] : [])];
    open(playLine(newDoc(CONNECT6), moves.map((m) => parseMove(CONNECT6, m) ?? [])));
  };
  const verdict = (e: AtlasEntry) =>
    e.status === "open" ? "open" : `${e.status}: ${e.winner ? `${Title(e.winner)} wins` : "?"}`;
  return (
    <section class="stack" aria-label="Atlas">
      <h2>Openings of Connect6</h2>
      <p class="note">“Claimed” verdicts were published elsewhere without a proof that can be checked; “proved” ones have a certificate.</p>
      {here && <p>On the board: <strong>{here}</strong></p>}
      <div class="row">
        <Field label="Name"><input value={name.value} placeholder="TX-H9" onInput={(e) => (name.value = e.currentTarget.value)} /></Field>
        <Field label="Status">
          <select value={status.value} onChange={(e) => (status.value = e.currentTarget.value)}>
            <option value="">any</option>
            <option value="proved">proved</option>
            <option value="claimed">claimed</option>
            <option value="open">open</option>
          </select>
        </Field>
      </div>
      <p class="note" role="status">{rows.length} openings{rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} shown` : ""}</p>
      <table class="atlas">
        <thead><tr><th>Name</th><th>White's stones</th><th>Verdict</th><th>Third move</th></tr></thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((e) => (
            <tr key={e.name} class={e.name === here ? "here" : ""}>
              <td><Button onClick={() => show(e, false)}>{e.name}</Button></td>
              <td>{e.moves[1]}</td>
              <td title={e.source ?? undefined}>{verdict(e)}</td>
              <td>{e.third && <Button onClick={() => show(e, true)}>{e.third}</Button>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
