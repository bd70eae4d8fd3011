import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { JobNode } from "../engine/schema";
import { specAt } from "../model/document";
import * as jobs from "../model/jobs";
import { about, doc, view } from "../model/store";
import { Icon } from "./icons";
import { Button, Field, Title } from "./parts";
import { Term } from "./Term";
import { type Look, type Placed, TreeCanvas, layOut } from "./TreeCanvas";

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
const outcome = (value: string) => (value === "draw" ? "a draw" : `${Title(value)} wins`);
const count = (n: number) => n.toLocaleString("en");
const STATES: Record<string, string> = { running: "Running", elsewhere: "Running in another process", stopped: "Stopped" };

function Starter() {
  const draft = jobs.draft.value;
  const name = useSignal(draft?.name ?? "");
  const attacker = useSignal(draft?.attacker ?? "");
  useEffect(() => void (jobs.draft.value = null), []);
  const nodes = useSignal(200_000);
  const threads = useSignal<number | null>(null);
  const workers = useSignal("threads");
  const start = (event: Event) => {
    event.preventDefault();
    void jobs.begin({
      name: name.value, position: specAt(doc.value, doc.value.at), attacker: attacker.value || null, policy: null,
      job_nodes: nodes.value, workers: workers.value, threads: workers.value === "threads" ? threads.value : null,
    });
  };
  return (
    <>
      <form class="stack" onSubmit={start}>
        <h2>Search with many jobs</h2>
        <p class="note">Solves the position on the board with a tree of <Term name="job">jobs</Term>. It is kept in a file and can be stopped and gone on with at any time.</p>
        <div class="fields">
          <Field label="Name"><input required pattern="[a-z0-9\-]+" title="Small letters, digits and hyphens" placeholder="tx-h9" value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} /></Field>
          <Field label="Who should win">
            <select value={attacker.value} onChange={(e) => (attacker.value = e.currentTarget.value)}>
              <option value="">to move: {view.value.toMove}</option>
              <option value="black">Black</option>
              <option value="white">White</option>
            </select>
          </Field>
          <Field label="Moves tried a job"><input type="number" min={1} value={nodes.value} onChange={(e) => (nodes.value = Number(e.currentTarget.value))} /></Field>
          {jobs.grid.value !== null && (
            <Field label="Jobs are done by">
              <select value={workers.value} onChange={(e) => (workers.value = e.currentTarget.value)}>
                <option value="threads">this machine</option>
                <option value="grid">the grid {jobs.grid.value}</option>
              </select>
            </Field>
          )}
          {workers.value === "threads" && (
            <Field label="Workers"><input type="number" min={1} max={jobs.threads.value} value={threads.value ?? jobs.threads.value} onChange={(e) => (threads.value = Number(e.currentTarget.value))} /></Field>
          )}
        </div>
        <div class="row"><button type="submit" class="primary" disabled={view.value.stones === 0 || view.value.toPlace === 0}>Start the search</button></div>
        {view.value.stones === 0 && <p class="note">The board is empty: play or open a position first.</p>}
      </form>
      <section class="stack" aria-label="Searches">
        <h2>Searches</h2>
        {jobs.searches.value.length === 0 && <p class="note">None yet.</p>}
        {jobs.searches.value.length > 0 && (
          <table>
            <thead><tr><th>Name</th><th>To win</th><th class="number">Nodes</th><th class="number">State</th></tr></thead>
            <tbody>
              {jobs.searches.value.map((s) => (
                <tr key={s.name}>
                  <td><Button onClick={() => jobs.watch(s)} disabled={s.trouble != null}>{s.name}</Button></td>
                  <td>{s.attacker && Title(s.attacker)}</td>
                  <td class="number">{count(s.nodes)}</td>
                  <td class="number">{s.trouble ?? <span class={`pill ${s.value ?? s.state}`}>{s.value ? outcome(s.value) : s.state}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
}

/**
 * The tree with a place for each node. Places change only when the tree has grown; when numbers
 * have changed, only the looks of the nodes that were in the news do.
 */
function usePlaces(w: jobs.Watched | null): readonly Placed[] {
  const best = new Set(w?.news?.line);
  const attacker = w?.search.attacker;
  const look = (n: JobNode): Look => ({
    fill: n.value ? (n.value === attacker ? "--good" : "--bad") : n.to_move === "black" ? "--stone-white" : "--stone-black",
    ring: n.running ? "--busy" : null,
    dot: n.mark ? "--bad" : best.has(n.id) ? "--accent" : null,
    text: `${n.move ?? "root"} ${n.value ? "" : numbers(n)}`,
  });
  const items = useMemo(() => {
    const root = w?.nodes.get(0);
    return w && root ? layOut(root, (n) => w.children.get(n.id) ?? [], (id) => w.nodes.get(id), look) : [];
  }, [w?.nodes, w?.grown]);
  const byId = useMemo(() => new Map(items.map((p) => [p.id, p])), [items]);
  const lastBest = useRef<readonly number[]>([]);
  useMemo(() => {
    const changed = new Set([...(w?.news?.nodes.map((n) => n.id) ?? []), ...best, ...lastBest.current]);
    lastBest.current = [...best];
    for (const id of changed) {
      const [place, node] = [byId.get(id), w?.nodes.get(id)];
      if (place && node) place.look = look(node);
    }
  }, [w?.version]);
  return items;
}

function Watcher() {
  const w = jobs.watched.value;
  const items = usePlaces(w);
  const workers = useSignal("threads");
  if (!w) return null;
  const { search, news } = w;
  const root = w.nodes.get(0);
  const here = jobs.node.value;
  const running = search.state === "running" || search.state === "elsewhere";
  const solved = root?.value ? outcome(root.value) : null;
  return (
    <>
      <section class="stack" aria-label="Search">
        <div class="row">
          <h2>{search.name}: {Title(search.attacker)} to win</h2>
        </div>
        <p role="status" class="state">
          {solved ? `Solved: ${solved}.` : `${STATES[search.state] ?? search.state}: ${count(news?.total ?? 0)} nodes, ${count(news?.done ?? 0)} jobs done, ${news?.running ?? 0} under way`}
        </p>
        {news?.trouble && <p class="note">{news.trouble}</p>}
        <div class="row">
          {running && !solved && <Button primary onClick={() => void jobs.stop()}>Stop</Button>}
          {!running && !solved && <Button primary onClick={() => void jobs.go(workers.value)}>Go on</Button>}
          {!running && !solved && jobs.grid.value !== null && (
            <select aria-label="Jobs are done by" value={workers.value} onChange={(e) => (workers.value = e.currentTarget.value)}>
              <option value="threads">on this machine</option>
              <option value="grid">on the grid {jobs.grid.value}</option>
            </select>
          )}
          {solved && root?.value !== "draw" && <Button primary disabled={jobs.busy.value} onClick={jobs.certify}>{jobs.busy.value ? "Writing the proof …" : "Browse the proof"}</Button>}
          <Button onClick={jobs.leave}>All searches</Button>
        </div>
        <TreeCanvas items={items} version={w.version} at={jobs.selected.value} dx={120} dy={26} tall onGo={(id) => (jobs.selected.value = id)} label={`Tree of ${items.length} nodes`} />
        <ul class="legend" aria-label="Colours">
          <li><i style={{ "--colour": "var(--good)" }} /> {Title(search.attacker)} wins</li>
          <li><i style={{ "--colour": "var(--bad)" }} /> does not</li>
          <li><i class="ring" style={{ "--colour": "var(--busy)" }} /> a job is under way</li>
          <li><i style={{ "--colour": "var(--accent)" }} /> best line</li>
        </ul>
      </section>
      {here && <Node w={w} here={here} />}
      {news && news.workers.length > 0 && <Workers news={news} />}
    </>
  );
}

function Node({ w, here }: { w: jobs.Watched; here: JobNode }) {
  const { search } = w;
  const parent = here.parent ?? 0;
  const resting = here.mark === "paused" || here.mark === "set-aside";
  return (
    <section class="stack" aria-label="Node">
      <h2><Term name="node">Node</Term> {here.id}{here.move ? `: ${here.move}` : ": the root"}</h2>
      <dl class="facts">
        <dt><Term name="proof-number">Proof</Term> / <Term name="disproof-number">disproof number</Term></dt><dd>{numbers(here)}</dd>
        <dt><Term name="status" /></dt><dd>{here.value ? outcome(here.value) : here.status}{here.running ? ", a job is under way" : ""}{here.mark ? `, ${here.mark}` : ""}</dd>
      </dl>
      <div class="row">
        <Button disabled={here.parent == null} onClick={() => (jobs.selected.value = parent)}>Up</Button>
        {!here.value && <Button onClick={() => void jobs.steer("force", here.id)}>Work on it now</Button>}
        {!here.value && (resting
          ? <Button onClick={() => void jobs.steer("resume", here.id)}>Resume</Button>
          : <Button onClick={() => void jobs.steer("pause", here.id)}>Pause</Button>)}
        {here.parent != null && here.move && (here.mark === "forbidden"
          ? <Button onClick={() => void jobs.steer("allow", parent, here.move)}>Allow this move</Button>
          : !here.value && <Button onClick={() => void jobs.steer("forbid", parent, here.move)}>Forbid this move</Button>)}
      </div>
      {!here.value && <p class="note">Place stones on the board to suggest a move here.</p>}
      <div class="row" role="group" aria-label="Moves from here">
        {(w.children.get(here.id) ?? []).map((id) => {
          const child = w.nodes.get(id);
          return child && <Button key={id} onClick={() => (jobs.selected.value = id)}>{child.move} {child.value ? <Icon name={child.value === search.attacker ? "check" : "close"} label={outcome(child.value)} /> : numbers(child)}</Button>;
        })}
      </div>
    </section>
  );
}

function Workers({ news }: { news: NonNullable<jobs.Watched["news"]> }) {
  const elsewhere = news.state === "elsewhere";
  return (
    <section class="stack" aria-label="Workers">
      <h2>{news.workers.length === 1 ? "1 worker" : `${news.workers.length} workers`}, {count(news.workers.reduce((sum, w) => sum + w.speed, 0))} moves a second</h2>
      <table>
        <thead><tr><th>Name</th><th>{elsewhere ? "Jobs done" : "Job"}</th><th class="number">Tried</th><th class="number">A second</th></tr></thead>
        <tbody>
          {news.workers.map((worker) => (
            <tr key={worker.name}>
              <td>{worker.name}</td><td>{worker.trouble ?? worker.done ?? worker.job ?? "free"}</td>
              <td class="number">{count(worker.nodes)}</td><td class="number">{count(worker.speed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
