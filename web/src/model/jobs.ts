/** Job-level searches: those there are, and the one that is watched. */
import { computed, signal } from "@preact/signals";
import type { JobNode, JobsDoc, TreeNews } from "../engine/schema";
import { type Side, CONNECT6, parseGame, parseMove, squaresOf, stoneOf } from "./game";
import { browse } from "./proving";
import { complain, engine, keep, pending, read, tab } from "./store";
import { Task } from "./task";

export const searches = signal<readonly JobsDoc[]>([]);
export const threads = signal(1);

export interface Watched {
  search: JobsDoc;
  nodes: ReadonlyMap<number, JobNode>;
  children: ReadonlyMap<number, readonly number[]>;
  news: TreeNews | null;
}
export const watched = signal<Watched | null>(null);
/** The node that is shown. */
export const selected = signal(0);
const watching = new Task();
const certifying = new Task();
export const busy = certifying.running;
const KEY = "lambda6.watched";

export async function refresh(): Promise<void> {
  try {
    const list = await engine().jobs();
    searches.value = list.searches;
    threads.value = list.threads;
  } catch (error) {
    complain(error);
  }
}

/** Goes back to what was watched before the page was reloaded. */
export async function rewatch(): Promise<void> {
  await refresh();
  const name = read<string>(KEY);
  const found = searches.value.find((s) => s.name === name);
  if (found && !watched.value) watch(found);
}

export function watch(search: JobsDoc): void {
  keep(KEY, search.name);
  selected.value = 0;
  pending.value = [];
  watched.value = { search, nodes: new Map(), children: new Map(), news: null };
  void watching.start((signal) => engine().watchJobs(search.name, (news) => take(search.name, news), signal));
}

function take(name: string, news: TreeNews): void {
  const now = watched.value;
  if (now?.search.name !== name) return;
  const nodes = new Map(now.nodes);
  const children = new Map(now.children);
  for (const node of news.nodes) {
    const isNew = !nodes.has(node.id);
    nodes.set(node.id, node);
    if (isNew && node.parent != null) children.set(node.parent, [...(children.get(node.parent) ?? []), node.id]);
  }
  watched.value = { search: { ...now.search, state: news.state }, nodes, children, news };
}

export function leave(): void {
  watching.stop();
  watched.value = null;
  keep(KEY, null);
  void refresh();
}

export async function begin(request: Parameters<ReturnType<typeof engine>["startJobs"]>[0]): Promise<void> {
  try {
    await engine().startJobs(request);
    await refresh();
    const made = searches.value.find((s) => s.name === request.name);
    if (made) watch(made);
  } catch (error) {
    complain(error);
  }
}

const order = async (what: Promise<unknown>): Promise<void> => {
  try {
    await what;
    // The stream ended with the search that it showed, or shows another now.
    const now = watched.value;
    if (now) {
      const at = selected.value;
      await refresh();
      watch(searches.value.find((s) => s.name === now.search.name) ?? now.search);
      selected.value = at;
    }
  } catch (error) {
    complain(error);
  }
};

export const go = () => watched.value && order(engine().goJobs(watched.value.search.name));
export const stop = () => watched.value && engine().stopJobs(watched.value.search.name).catch(complain);

export async function steer(what: string, node: number, move: string | null = null): Promise<void> {
  const now = watched.value;
  if (!now) return;
  const sent = engine().steerJobs(now.search.name, { order: what, node, move });
  // A search that nobody works on does not tell what is new by itself.
  if (now.search.state === "stopped") await order(sent);
  else await sent.catch(complain);
}

/** Opens the proof of a solved search. */
export function certify(): void {
  const now = watched.value;
  if (!now) return;
  void certifying.start(async (signal) => {
    const proof = await engine().certifyJobs(now.search.name, signal);
    tab.value = "prove";
    await browse(proof);
  });
}

export const node = computed(() => watched.value?.nodes.get(selected.value) ?? null);

/** The moves that lead to a node. */
export function pathTo(id: number): JobNode[] {
  const path: JobNode[] = [];
  for (let at = watched.value?.nodes.get(id); at && at.parent != null; at = watched.value?.nodes.get(at.parent)) path.push(at);
  return path.reverse();
}

/** The board at the node that is shown. */
export const board = computed(() => {
  const now = watched.value;
  const game = (now && parseGame(now.search.game)) ?? CONNECT6;
  const cells = new Uint8Array(game.m * game.n);
  squaresOf(game, now?.search.start.black ?? []).forEach((s) => (cells[s] = 1));
  squaresOf(game, now?.search.start.white ?? []).forEach((s) => (cells[s] = 2));
  let last: readonly number[] = [];
  for (const step of pathTo(selected.value)) {
    const parent = now?.nodes.get(step.parent ?? 0);
    last = parseMove(game, step.move ?? "") ?? [];
    last.forEach((s) => (cells[s] = stoneOf((parent?.to_move ?? "black") as Side)));
  }
  const toMove = (node.value?.to_move ?? now?.search.start.to_move ?? "black") as Side;
  return { game, cells, toMove, last };
});
