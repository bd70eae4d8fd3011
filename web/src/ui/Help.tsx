/** How the page is used, and all of its terms. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { GLOSSARY } from "../model/glossary";
import { set } from "../model/store";
import { Icon } from "./icons";
import { Button } from "./parts";

export const helpOpen = signal(false);

const PARTS: readonly [string, string][] = [
  ["Play", "Touch the board: a game against the engine begins. Two stones make a move, Black begins with one. Place them, move the last one by touching another square, then press Play."],
  ["Record", "Open, edit and save games, with variations, comments and marks. A file can also be dropped anywhere on the page."],
  ["Review", "Open a game and see who stood better where, which moves lost it, and which wins were missed."],
  ["Analyse", "Threats, forced wins and the best moves of the position on the board."],
  ["Prove", "Search for a forced win and get a proof of it: then play any defence and see the answer. Or see which defences are left."],
  ["Search", "Solve openings with a tree of jobs, over hours or days, in the server."],
  ["Puzzles", "Find the win. A new one every day."],
  ["Atlas", "What is known of the openings of Connect6."],
];
const KEYS: readonly [string, string][] = [
  ["Left Right", "a move back or forward"],
  ["Home End", "to the start or the end"],
  ["Up Down", "the variation above or below"],
  ["Enter", "play the stones that are placed"],
  ["Escape", "take the last stone back"],
  ["Ctrl Z", "undo an edit"],
  ["Arrows", "on the board: move the cursor, Space places a stone"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  if (!open) return null;
  const close = () => (helpOpen.value = false);
  const terms = Object.values(GLOSSARY).sort((a, b) => a.title.localeCompare(b.title));
  return (
    // A touch beside the dialog closes it, too.
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close} onClick={(e) => e.target === e.currentTarget && close()}>
      <div class="stack">
        <div class="row spread">
          <h2 id="help-title">Help</h2>
          <Button class="plain" aria-label="Close the help" onClick={close}><Icon name="close" /></Button>
        </div>
        <p>In Connect6 two players place stones on a board of 19 by 19. Black begins with one stone, then each move is two stones. Six in a row win: across, down or slanting.</p>
        <p class="note">On a touch screen, hold a finger on the board for a magnifier: move it to the square and let go.</p>
        <dl class="facts">{PARTS.map(([name, text]) => <><dt>{name}</dt><dd>{text}</dd></>)}</dl>
        <h3>Keys</h3>
        <dl class="facts">{KEYS.map(([key, text]) => <><dt><kbd>{key}</kbd></dt><dd>{text}</dd></>)}</dl>
        <div class="row"><Button onClick={() => { set("guided", false); set("tried", []); close(); }}>Show the guide for a first visit again</Button></div>
        <h3>Terms</h3>
        <dl class="glossary">{terms.map(({ title, text }) => <><dt>{title}</dt><dd>{text}</dd></>)}</dl>
      </div>
    </dialog>
  );
}
