import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobNode } from "../engine/schema";
import { specAt } from "../model/document";
import * as jobs from "../model/jobs";
import { about, doc, view } from "../model/store";
import { Button, Field, Title } from "./parts";
import { TreeCanvas, layOut } from "./TreeCanvas";

export function JobsPanel() {
  const can = about.value?.jobs;
  useEffect(() => {
    if (can) void jobs.rewatch();
  }, [can]);
  if (!about.value) return null;
  if (!can) {
    return (
      <section class="stack" aria-label="Search">
        <h2>Search with many jobs</h2>
        <p>Solving openings with many workers, for hours or days, needs the server: <code>lambda6 serve</code>.</p>
      </section>
    );
  }
  return jobs.watched.value ? <Watcher /> : <Starter />;
}

const numbers = (n: JobNode | null | undefined) => (n ? `${n.proof ?? "∞"}/${n.disproof ?? "∞"}` : "");
const verdict = (n: JobNode) => (n.value === "draw" ? "a draw" : n.value ? `${Title(n.value)} wins` : null);

function Starter() {
  const name = useSignal("");
  const attacker = useSignal("");
  const nodes = useSignal(200_000);
  const threads = useSignal<number | null>(null);
  const start = (event: Event) => {
    event.preventDefault();
    void jobs.begin({
      name: name.value, position: specAt(doc.value, doc.value.at), attacker: attacker.value || null, policy: null,
      job_nodes: nodes.value, threads: threads.value,
    });
  };
  return (
    <>
      <form class="stack" onSubmit={start}>
        <h2>Search with many jobs</h2>
        <p class="note">Solves the position on the board with a tree of jobs. It is kept in a file and can be stopped and gone on with at any time.</p>
        <Field label="Name"><input required pattern="[a-z0-9\-]+" placeholder="tx-h9" value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} /></Field>
        <Field label="Who should win">
          <select value={attacker.value} onChange={(e) => (attacker.value = e.currentTarget.value)}>
            <option value="">the side to move ({view.value.toMove})</option>
            <option value="black">Black</option>
            <option value="white">White</option>
          </select>
        </Field>
        <div class="row">
          <Field label="Moves tried a job"><input type="number" min={1} value={nodes.value} onChange={(e) => (nodes.value = Number(e.currentTarget.value))} /></Field>
          <Field label="Workers"><input type="number" min={1} max={jobs.threads.value} value={threads.value ?? jobs.threads.value} onChange={(e) => (threads.value = Number(e.currentTarget.value))} /></Field>
        </div>
        <div class="row"><button type="submit" class="primary" disabled={view.value.stones === 0 || view.value.toPlace === 0}>Start the search</button></div>
      </form>
      <section class="stack" aria-label="Searches">
        <h2>Searches</h2>
        {jobs.searches.value.length === 0 && <p class="note">None yet.</p>}
        {jobs.searches.value.length > 0 && (
          <table>
            <thead><tr><th>Name</th><th>To win</th><th>State</th></tr></thead>
            <tbody>
              {jobs.searches.value.map((s) => (
                <tr key={s.name}>
                  <td><Button onClick={() => jobs.watch(s)} disabled={s.trouble != null}>{s.name}</Button></td>
                  <td>{s.attacker && Title(s.attacker)}</td>
                  <td>{s.trouble ?? s.state}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
}

function Watcher() {
  const w = jobs.watched.value;
  const items = useMemo(() => {
    const root = w?.nodes.get(0);
    if (!w || !root) return [];
    const best = new Set(w.news?.line);
    const get = (id: number) => {
      const node = w.nodes.get(id);
      return node && { ...node, children: w.children.get(id) ?? [] };
    };
    return layOut({ ...root, children: w.children.get(0) ?? [] }, get, (n) => ({
      fill: n.value ? (n.value === w.search.attacker ? "--good" : "--bad") : n.to_move === "black" ? "--stone-white" : "--stone-black",
      ring: n.running ? "--busy" : null,
      dot: n.mark ? "--bad" : best.has(n.id) ? "--accent" : null,
      text: `${n.move ?? "root"} ${n.value ? "" : numbers(n)}`,
    }));
  }, [w]);
  if (!w) return null;
  const { search, news } = w;
  const root = w.nodes.get(0);
  const here = jobs.node.value;
  const running = search.state === "running" || search.state === "elsewhere";
  const solved = root && verdict(root);
  return (
    <>
      <section class="stack" aria-label="Search">
        <h2>{search.name}: {Title(search.attacker)} to win</h2>
        <p role="status" class="state">
          {solved ? `Solved: ${solved}.` : `${search.state}: ${news?.total ?? 0} nodes, ${news?.done ?? 0} jobs done, root ${numbers(root)}`}
        </p>
        {news?.trouble && <p class="note">{news.trouble}</p>}
        <div class="row">
          {running ? <Button primary onClick={() => void jobs.stop()}>Stop</Button> : !solved && <Button primary onClick={() => void jobs.go()}>Go on</Button>}
          {solved && root?.value !== "draw" && <Button primary disabled={jobs.busy.value} onClick={jobs.certify}>{jobs.busy.value ? "Writing the proof …" : "Browse the proof"}</Button>}
          <Button onClick={jobs.leave}>All searches</Button>
        </div>
        <TreeCanvas items={items} at={jobs.selected.value} dx={120} dy={26} onGo={(id) => (jobs.selected.value = id)} label={`Tree of ${items.length} nodes`} />
      </section>
      {here && (
        <section class="stack" aria-label="Node">
          <h2>Node {here.id}{here.move ? `: ${here.move}` : ": the root"}</h2>
          <dl class="facts">
            <dt>Proof / disproof number</dt><dd>{numbers(here)}</dd>
            <dt>Status</dt><dd>{verdict(here) ?? here.status}{here.running ? ", a job is under way" : ""}{here.mark ? `, ${here.mark}` : ""}</dd>
          </dl>
          <div class="row">
            <Button disabled={here.parent == null} onClick={() => (jobs.selected.value = here.parent ?? 0)}>Up</Button>
            {!here.value && <Button onClick={() => void jobs.steer("force", here.id)}>Work on it now</Button>}
            {!here.value && (here.mark === "paused" || here.mark === "set-aside"
              ? <Button onClick={() => void jobs.steer("resume", here.id)}>Resume</Button>
              : <Button onClick={() => void jobs.steer("pause", here.id)}>Pause</Button>)}
            {here.parent != null && here.move && (here.mark === "forbidden"
              ? <Button onClick={() => void jobs.steer("allow", here.parent ?? 0, here.move)}>Allow this move</Button>
              : !here.value && <Button onClick={() => void jobs.steer("forbid", here.parent ?? 0, here.move)}>Forbid this move</Button>)}
          </div>
          {!here.value && <p class="note">Place stones on the board to suggest a move here.</p>}
          <div class="row" role="group" aria-label="Moves from here">
            {(w.children.get(here.id) ?? []).map((id) => {
              const child = w.nodes.get(id);
              return child && <Button key={id} onClick={() => (jobs.selected.value = id)}>{child.move} {child.value ? (child.value === search.attacker ? "✓" : "✗") : numbers(child)}</Button>;
            })}
          </div>
        </section>
      )}
      {news && news.workers.length > 0 && (
        <section class="stack" aria-label="Workers">
          <h2>Workers</h2>
          <table>
            <thead><tr><th>Name</th><th>Job</th><th>Tried</th><th>A second</th></tr></thead>
            <tbody>
              {news.workers.map((worker) => (
                <tr key={worker.name}><td>{worker.name}</td><td>{worker.trouble ?? worker.job ?? "free"}</td><td>{worker.nodes.toLocaleString("en")}</td><td>{worker.speed.toLocaleString("en")}</td></tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {search.state === "elsewhere" && <p class="note">Another process works on this search; its workers are not shown here.</p>}
    </>
  );
}
