import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AtlasEntry } from "../engine/schema";
import { seen } from "../model/analysis";
import { newDoc, playLine } from "../model/document";
import { CONNECT6, parseMove } from "../model/game";
import * as jobs from "../model/jobs";
import { complain, engine, open, tab } from "../model/store";
import { Button, Field, Title } from "./parts";

const atlas = signal<readonly AtlasEntry[]>([]);
/** Rows that are drawn; the filters find the others. */
const MOST_ROWS = 100;

export function AtlasPanel() {
  useEffect(() => {
    // Read again each time: searches may have found something.
    engine().atlas().then((found) => (atlas.value = found.openings), complain);
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
  const toSearch = async (search: string) => {
    tab.value = "search";
    await jobs.refresh();
    const found = jobs.searches.value.find((s) => s.name === search);
    if (found) jobs.watch(found);
  };
  return (
    <section class="stack" aria-label="Atlas">
      <h2>Openings of Connect6</h2>
      <p class="note">Claimed: published elsewhere, without a proof that can be checked. Solved: by a search on this server, which can write the proof. Proved: with a certificate.</p>
      {here && <p>On the board: <strong>{here}</strong></p>}
      <div class="fields">
        <Field label="Name"><input value={name.value} placeholder="TX-H9" onInput={(e) => (name.value = e.currentTarget.value)} /></Field>
        <Field label="Status">
          <select value={status.value} onChange={(e) => (status.value = e.currentTarget.value)}>
            <option value="">any</option>
            <option value="proved">proved</option>
            <option value="solved">solved</option>
            <option value="claimed">claimed</option>
            <option value="open">open</option>
          </select>
        </Field>
      </div>
      <p class="note" role="status">{rows.length} openings{rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} shown` : ""}</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Openings">
      <table class="atlas">
        <thead><tr><th>Name</th><th>White's stones</th><th>Verdict</th><th class="number">Third move</th></tr></thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((e) => (
            <tr key={e.name} class={e.name === here ? "here" : ""}>
              <td><Button onClick={() => show(e, false)}>{e.name}</Button></td>
              <td>{e.moves[1]}</td>
              <td title={e.source ?? undefined}>
                <span class={`pill ${e.status}`}>{e.status}</span> {e.winner && Title(e.winner)}{" "}
                {e.search && <Button onClick={() => void toSearch(e.search ?? "")}>Show the search</Button>}
              </td>
              <td class="number">{e.third && <Button onClick={() => show(e, true)}>{e.third}</Button>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      </div>
    </section>
  );
}
