/** Job-level searches: those there are, and the one that is watched. */
import { computed, signal } from "@preact/signals";
import type { JobNode, JobsDoc, TreeNews } from "../engine/schema";
import { type Side, CONNECT6, parseGame, parseMove, squaresOf, stoneOf } from "./game";
import { browse } from "./browsing";
import { Refused } from "../engine/engine";
import { complain, engine, keep, pending, read, tab } from "./store";
import { Task } from "./task";

export const searches = signal<readonly JobsDoc[]>([]);
export const threads = signal(1);
/** The name of the grid whose workers can do the jobs. */
export const grid = signal<string | null>(null);

/**
 * A search and its tree. The tree is changed in place, since only a few of perhaps ten thousand
 * nodes change at a time; a new `Watched` says that it did.
 */
export interface Watched {
  search: JobsDoc;
  nodes: Map<number, JobNode>;
  children: Map<number, number[]>;
  news: TreeNews | null;
  /** Counts the news. */
  version: number;
  /** The version that brought the last new node: before it, only numbers changed. */
  grown: number;
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
    grid.value = list.grid ?? null;
  } catch (error) {
    complain(error);
  }
}

/** Goes back to what was watched before the page was reloaded, or to what an address says. */
export async function rewatch(name: string | null = null, at = 0): Promise<void> {
  if (name !== null && watched.value?.search.name === name) {
    selected.value = at;
    return;
  }
  await refresh();
  const wanted = name ?? read<string>(KEY);
  const found = searches.value.find((s) => s.name === wanted);
  if (!found || (watched.value && name === null)) return;
  watch(found);
  selected.value = at;
}

/** What a search is to begin with that another part of the page hands over. */
export const draft = signal<{ name: string; attacker: string } | null>(null);

export function watch(search: JobsDoc): void {
  keep(KEY, search.name);
  selected.value = 0;
  pending.value = [];
  watched.value = { search, nodes: new Map(), children: new Map(), news: null, version: 0, grown: 0 };
  void watching.start(async (signal) => {
    // A server that was started again is asked again.
    for (let broken = 0; !signal.aborted; broken += 1) {
      try {
        await engine().watchJobs(search.name, (news) => {
          broken = 0;
          take(search.name, news);
        }, signal);
      } catch (error) {
        if (signal.aborted || error instanceof Refused && error.code !== "internal" || broken >= MOST_BROKEN) throw error;
      }
      await new Promise((later) => setTimeout(later, 1000));
    }
  });
}

/** How often a connection may break before there was any news on it. */
const MOST_BROKEN = 10;

function take(name: string, news: TreeNews): void {
  const now = watched.value;
  if (now?.search.name !== name) return;
  const { nodes, children } = now;
  const version = now.version + 1;
  let { grown } = now;
  for (const node of news.nodes) {
    if (!nodes.has(node.id)) {
      grown = version;
      const beside = node.parent == null ? null : children.get(node.parent);
      if (beside) beside.push(node.id);
      else if (node.parent != null) children.set(node.parent, [node.id]);
    }
    nodes.set(node.id, node);
  }
  watched.value = { search: { ...now.search, state: news.state }, nodes, children, news, version, grown };
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

/** Goes on: with `threads` of the server, or the workers of its `grid`. */
export const go = (workers: string) => watched.value && order(engine().goJobs(watched.value.search.name, { workers, threads: null }));
export const stop = () => watched.value && engine().stopJobs(watched.value.search.name).catch(complain);

export async function steer(what: string, node: number, move: string | null = null): Promise<void> {
  const now = watched.value;
  if (!now) return;
  const sent = engine().steerJobs(now.search.name, { order: what, node, move });
  // A stopped search sends no events.
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
