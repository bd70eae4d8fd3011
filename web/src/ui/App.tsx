import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { mainLineFrom, node } from "../model/document";
import { exampleMove, parseMove } from "../model/game";
import * as store from "../model/store";
import { AnalysePanel } from "./AnalysePanel";
import { AtlasPanel } from "./AtlasPanel";
import { Board } from "./Board";
import { Help, helpOpen } from "./Help";
import { JobsPanel } from "./JobsPanel";
import { PlayPanel } from "./PlayPanel";
import { ProvePanel } from "./ProvePanel";
import { PuzzlePanel } from "./PuzzlePanel";
import { openFile, positionText, RecordPanel } from "./RecordPanel";
import { ReviewPanel } from "./ReviewPanel";
import { Icon } from "./icons";
import { Button, Waiting } from "./parts";
import { dressNow, nextStone, stageNow, touched } from "./stages";

const PANELS = {
  play: PlayPanel, record: RecordPanel, review: ReviewPanel, analyse: AnalysePanel, prove: ProvePanel, search: JobsPanel, puzzles: PuzzlePanel, atlas: AtlasPanel,
};

export function App() {
  const { tab, announcement, settings } = store;
  const Panel = PANELS[tab.value];
  const dropping = useSignal(false);
  useKeyboard();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    dropping.value = false;
    const file = event.dataTransfer?.files[0];
    if (file) void file.arrayBuffer().then((buffer) => openFile(new Uint8Array(buffer)));
  };
  return (
    <div
      class={`app ${dropping.value ? "dropping" : ""}`}
      onDragOver={(event) => { event.preventDefault(); dropping.value = true; }}
      onDragLeave={(event) => { if (!event.relatedTarget) dropping.value = false; }}
      onDrop={drop}
    >
      <header>
        <h1>lambda6</h1>
        <Tabs />
        <Button class="plain" aria-label="Help" title="Help" onClick={() => (helpOpen.value = true)}><Icon name="help" /></Button>
        <ThemeButton theme={settings.value.theme} />
      </header>
      <Message />
      <Help />
      <main>
        <BoardArea />
        <div class="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${tab.value}`} tabIndex={-1}>
          <Panel />
        </div>
      </main>
      <div class="visually-hidden" aria-live="polite">{announcement.value}</div>
    </div>
  );
}

/** A message over the page. It fades by itself, unless the pointer or the focus rests on it. */
function Message() {
  const now = store.notice.value;
  // The next message is another element, and begins anew.
  const number = useRef({ last: now, count: 0 });
  if (number.current.last !== now) number.current = { last: now, count: number.current.count + 1 };
  if (!now) return null;
  const away = () => {
    if (store.notice.value === now) store.notice.value = null;
  };
  return (
    <div key={number.current.count} class={`notice ${now.good ? "good" : ""}`} role="alert" onAnimationEnd={away}>
      <span>{now.text}</span>
      <Button class="plain" aria-label="Dismiss" title="Dismiss" onClick={away}><Icon name="close" /></Button>
    </div>
  );
}

function Tabs() {
  const { tab, TABS } = store;
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = TABS.findIndex(([id]) => id === tab.value);
    const next = TABS[(at + step + TABS.length) % TABS.length]?.[0];
    if (!next) return;
    tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label="What to do" class="tabs" onKeyDown={move}>
      {TABS.map(([id, name]) => (
        <button
          key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={tab.value === id} aria-controls="panel"
          tabIndex={tab.value === id ? 0 : -1} onClick={() => (tab.value = id)}
        ><Icon name={id} /><span data-name={name}>{name}</span></button>
      ))}
    </div>
  );
}

function ThemeButton({ theme }: { theme: store.Settings["theme"] }) {
  const next = { auto: "light", light: "dark", dark: "auto" } as const;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return <Button class="plain" aria-label={`Colours: ${theme}`} title={`Colours: ${theme}`} onClick={() => store.set("theme", next[theme])}><Icon name="theme" /></Button>;
}

function BoardArea() {
  const stage = stageNow();
  const dress = dressNow(stage);
  const waiting = store.pending.value;
  // Stones that were placed for another position are put away, and come back with it. Before the next event:
  // a plain effect may run after the first stone of the new position was placed, and would take it away.
  useLayoutEffect(() => store.turnTo(stage.key), [stage.key]);
  const typed = useSignal("");
  const submitTyped = (event: Event) => {
    event.preventDefault();
    const squares = parseMove(stage.game, typed.value);
    const fits = squares && squares.length > 0 && squares.length <= stage.toPlace && squares.every((s) => stage.cells[s] === 0);
    if (!fits || (!store.isMove(stage, squares) && !stage.partial)) {
      store.complain(`${typed.value} is not a move here: ${stage.toPlace === 1 ? "an empty square" : `${stage.toPlace} empty squares`} such as ${exampleMove({ ...stage.game, p: Math.max(stage.toPlace, 1) })} ${stage.toPlace === 1 ? "is" : "are"}.`);
      return;
    }
    typed.value = "";
    store.notice.value = null;
    store.pending.value = squares;
    store.send(stage);
  };
  return (
    <div class="board-area">
      <Board
        game={stage.game} cells={stage.cells} next={nextStone(stage, waiting.length)}
        pending={waiting} pendingSide={stage.toMove} last={stage.last} row={stage.row}
        marks={dress.marks} paint={dress.paint} labels={dress.labels} coordinates={store.settings.value.coordinates}
        label={`Board, ${stage.game.m} by ${stage.game.n}. Arrow keys move the cursor, space places a stone, enter plays the move, backspace takes a stone back.`}
        onSquare={(square) => touched(stage, square)}
        onConfirm={() => store.send(stage)}
        onTakeBack={store.takeBackStone}
        onCursor={(text) => (store.announcement.value = text)}
      />
      <div class="under-board">
        <Waiting stage={stage} />
        <form class="type" onSubmit={submitTyped}>
          <label class="visually-hidden" for="typed">Type a move</label>
          <input id="typed" class="typed" placeholder={exampleMove(stage.game)} value={typed.value} autocomplete="off" spellcheck={false} disabled={stage.toPlace === 0} onInput={(e) => (typed.value = e.currentTarget.value)} />
        </form>
        {stage.doc && <Navigation />}
      </div>
    </div>
  );
}

const walk = {
  first: () => store.go(0),
  back: () => store.go(node(store.doc.value, store.doc.value.at).parent ?? 0),
  forward: () => {
    const next = node(store.doc.value, store.doc.value.at).children[0];
    if (next !== undefined) store.go(next);
  },
  last: () => {
    const end = mainLineFrom(store.doc.value, store.doc.value.at).at(-1);
    if (end) store.go(end.id);
  },
  sibling: (step: number) => {
    const d = store.doc.value;
    const here = node(d, d.at);
    if (here.parent === null) return;
    const { children } = node(d, here.parent);
    const next = children[children.indexOf(here.id) + step];
    if (next !== undefined) store.go(next);
  },
};

function Navigation() {
  const d = store.doc.value;
  const here = node(d, d.at);
  return (
    <nav class="row" aria-label="Moves">
      <span class="note">{positionText()}</span>
      <Button aria-label="To the start" title="Home" onClick={walk.first} disabled={here.parent === null}><Icon name="first" /></Button>
      <Button aria-label="Back" title="Left arrow" onClick={walk.back} disabled={here.parent === null}><Icon name="back" /></Button>
      <Button aria-label="Forward" title="Right arrow" onClick={walk.forward} disabled={here.children.length === 0}><Icon name="forward" /></Button>
      <Button aria-label="To the end" title="End" onClick={walk.last} disabled={here.children.length === 0}><Icon name="last" /></Button>
    </nav>
  );
}

/** Keys for the whole page, unless something that takes text or the board has the focus. */
function useKeyboard() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      // What lies over the page has its own keys.
      if (target.closest("input, textarea, select, [role=tablist]") || document.querySelector("dialog[open], :popover-open")) return;
      const key = event.key;
      if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z") {
        event.preventDefault();
        return event.shiftKey ? store.redo() : store.undo();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !stageNow().doc) return;
      const action = {
        ArrowLeft: walk.back, ArrowRight: walk.forward, Home: walk.first, End: walk.last,
        ArrowUp: () => walk.sibling(-1), ArrowDown: () => walk.sibling(1), "[": walk.back, "]": walk.forward,
        Enter: () => !target.closest("button, a, summary, label") && store.send(stageNow()),
        Escape: store.takeBackStone, Backspace: store.takeBackStone,
      }[key];
      if (!action) return;
      if (key === "Enter" && target.closest("button, a, summary, label")) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
