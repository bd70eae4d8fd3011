/**
 * The address says what is shown: part of the page, line and position, proof, puzzle or search. So Back and Forward
 * work, and a link that is passed on shows the same. Steps within a line replace the address; whatever else is opened
 * makes a new entry in the history of the browser.
 */
import { batch, effect, untracked } from "@preact/signals";
import * as jobs from "./jobs";
import { addLine, docOf, within } from "./link";
import * as browsing from "./browsing";
import * as puzzling from "./puzzling";
import { TABS, complain, doc, go, open, opened, tab } from "./store";
import type { Doc } from "./document";

/** Documents that were shown, by their numbers, so that Back brings all of a document and not its line only. */
const shown = new Map<number, Doc>();
const MOST_SHOWN = 20;
/** Browsers refuse to write the address too often: quick steps are gathered. */
const APART_MS = 150;

/** The parts of the address, and what makes an entry of its own in the history. */
function here(): { hash: string; entry: string } {
  const parts = new URLSearchParams({ tab: tab.value });
  let part = "";
  if (tab.value === "puzzles") {
    if (puzzling.puzzle.value) parts.set("puzzle", (part = puzzling.puzzle.value.id));
  } else if (tab.value === "search" && jobs.watched.value) {
    parts.set("search", (part = jobs.watched.value.search.name));
    if (jobs.selected.value > 0) parts.set("node", String(jobs.selected.value));
  } else if (tab.value !== "atlas") {
    addLine(parts, doc.value);
  }
  const proof = tab.value === "prove" ? browsing.shown.value : null;
  if (proof) {
    parts.set("proof", (part = proof.id));
    if (proof.tried.length > 0) parts.set("tried", proof.tried.join("."));
  }
  return { hash: `#${parts}`, entry: `${tab.value} ${part} ${opened.value}` };
}

interface Entry {
  /** The number of the document. */
  document?: number;
}

const KEY = "lambda6.address";

/** What the address says, or will say in a moment: a reload may come before. */
function remember(hash: string): void {
  try {
    sessionStorage.setItem(KEY, hash);
  } catch {
    // Without storage the address may be a step behind.
  }
}

/** After a reload, takes the address to where the page was. */
function catchUp(): void {
  const [how] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const last = how?.type === "reload" ? sessionStorage.getItem(KEY) : null;
  if (last && !location.hash.includes("token=")) history.replaceState(history.state, "", location.pathname + location.search + last);
}

/** Writes the address whenever something else is shown, and follows it when it changes. */
export function watchAddress(): void {
  catchUp();
  follow(null);
  let last = here().entry;
  let written = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { hash, entry } = untracked(here);
    const state: Entry = { document: opened.peek() };
    const method = entry === last || hash === location.hash ? "replaceState" : "pushState";
    const address = location.pathname + location.search + hash;
    last = entry;
    written = performance.now();
    try {
      history[method](state, "", address);
    } catch {
      // Browsers refuse too many changes in a short time; the next one writes the address.
    }
  };
  effect(() => {
    const { hash, entry } = here();
    remember(hash);
    shown.set(opened.value, doc.value);
    for (const old of shown.keys()) if (shown.size > MOST_SHOWN) shown.delete(old);
    clearTimeout(timer);
    // What Back led to is there already.
    if (following) last = entry;
    timer = setTimeout(write, APART_MS);
    // All that changes together is one entry, which is there before anybody can press Back.
    if (entry !== last || performance.now() - written > APART_MS) queueMicrotask(() => timer !== undefined && write());
  });
  addEventListener("popstate", (event) => {
    clearTimeout(timer);
    follow(event.state as Entry | null);
    // A link that shows nothing does not stay.
    timer = setTimeout(write, APART_MS);
  });
}

let following = false;

/** Shows what the address says. */
function follow(entry: Entry | null): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  // The transport takes the token out and loads the page again.
  if (parts.has("token")) return;
  following = true;
  batch(() => {
    const named = TABS.find(([id]) => id === parts.get("tab"))?.[0];
    const before = entry?.document !== undefined && entry.document !== opened.value ? shown.get(entry.document) : undefined;
    if (before) {
      doc.value = before;
      opened.value = entry?.document ?? 0;
    }
    if (parts.has("moves")) followLine(parts);
    if (named) tab.value = named;
    const [proof, puzzle, search] = [parts.get("proof"), parts.get("puzzle"), parts.get("search")];
    if (named === "prove") {
      if (proof) void browsing.reopen(proof, (parts.get("tried") ?? "").split(".").filter((m) => m !== ""));
      else browsing.leave();
    }
    if (puzzle) puzzling.wish(puzzle);
    if (named === "search") {
      if (search) void jobs.rewatch(search, Number(parts.get("node") ?? 0));
      else if (entry) jobs.leave();
    }
  });
  following = false;
}

function followLine(parts: URLSearchParams): void {
  const linked = docOf(parts);
  if (!linked) return complain("This link is not a position.");
  const there = within(doc.value, linked);
  if (there === null) open(linked);
  else go(there);
}
