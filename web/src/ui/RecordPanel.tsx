import { useSignal } from "@preact/signals";
import { fromRecord, mainLineFrom, makeMain, newDoc, node, removeBranch, setNode, toRecord } from "../model/document";
import { moveName, squareName } from "../model/game";
import { check, isCertificate } from "../model/browsing";
import {
  canRedo, canUndo, commit, complain, doc, engine, go, link, open, notice, redo, reopen, shelf, tab, tell, tool, undo, view,
} from "../model/store";
import { Button, Field, GamePicker, download } from "./parts";
import { Tree } from "./Tree";

const TOOLS: readonly [string, string][] = [
  ["", "Stones"],
  ["TR", "Triangle"],
  ["SQ", "Square"],
  ["CR", "Circle"],
  ["MA", "Cross"],
  ["LB", "Letter"],
];

/**
 * Opens a file, whatever it is: a certificate is checked, anything else is read as a record. Says
 * whether it could be read. The user may have gone on to another part of the page by then.
 */
export async function openFile(bytes: Uint8Array): Promise<boolean> {
  try {
    if (isCertificate(bytes)) {
      tab.value = "prove";
      void check(bytes);
      return true;
    }
    tab.value = "record";
    const read = fromRecord(await engine().readRecord(bytes));
    // At its end, as after reading a game; a tree is shown from its root.
    const end = mainLineFrom(read, 0).at(-1);
    open(end ? { ...read, at: end.id } : read);
    notice.value = null;
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

export const openPicked = (input: HTMLInputElement): void => {
  const file = input.files?.[0];
  input.value = "";
  if (file) void file.arrayBuffer().then((buffer) => openFile(new Uint8Array(buffer)));
};

export function RecordPanel() {
  const d = doc.value;
  const here = node(d, d.at);
  const parent = here.parent === null ? null : node(d, here.parent);
  const text = useSignal("");
  const kind = useSignal(d.game);
  const format = useSignal("little-golem");
  const save = async () => {
    try {
      const bytes = await engine().writeRecord({ record: toRecord(doc.value), format: format.value, lossy: false });
      const extension = format.value === "move-list" || format.value === "contest" ? "txt" : "sgf";
      download(bytes, `game.${extension}`, "application/octet-stream");
    } catch (error) {
      complain(error);
    }
  };
  const copyLink = () =>
    navigator.clipboard.writeText(link.value).then(
      () => tell("The link is in the clipboard."),
      () => tell(link.value),
    );
  const name = (id: number) => {
    const { move } = node(d, id);
    return move ? moveName(d.game, move) : "comment";
  };
  return (
    <>
      <section class="stack" aria-label="Tree">
        <div class="row">
          <Button onClick={undo} disabled={!canUndo.value} title="Ctrl+Z">Undo</Button>
          <Button onClick={redo} disabled={!canRedo.value} title="Ctrl+Shift+Z">Redo</Button>
          <Button onClick={() => commit(makeMain(d, d.at))} disabled={here.parent === null}>Make main line</Button>
          <Button onClick={() => commit(removeBranch(d, d.at))} disabled={here.parent === null}>Delete</Button>
        </div>
        <Tree doc={d} onGo={go} />
        <div class="row variations" role="group" aria-label="Variations">
          {parent && parent.children.length > 1 && (
            <span class="note">Variation {parent.children.indexOf(here.id) + 1} of {parent.children.length}</span>
          )}
          {here.children.map((id) => <Button key={id} onClick={() => go(id)}>{name(id)}</Button>)}
        </div>
        <Field label={`Comment${view.value.ply > 0 ? ` on move ${view.value.ply}` : ""}`}>
          <textarea rows={3} value={here.comment} onInput={(e) => commit(setNode(doc.value, d.at, { comment: e.currentTarget.value }), `comment ${d.at}`)} />
        </Field>
        <fieldset class="tools">
          <legend>Touching a square places</legend>
          {TOOLS.map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="tool" checked={tool.value === value} onChange={() => (tool.value = value)} /> {label}
            </label>
          ))}
        </fieldset>
        {here.marks.length > 0 && <p class="note">Marks: {here.marks.map((m) => `${m.kind} ${m.at ?? ""}${m.text ? ` ${m.text}` : ""}`).join(", ")}</p>}
      </section>
      <section class="stack" aria-label="Open">
        <h2>Open</h2>
        <label class="button">
          Open a file …
          <input type="file" class="hidden" onChange={(e) => openPicked(e.currentTarget)} />
        </label>
        <Field label="Or paste a record: SGF, a list of moves, a setup">
          <textarea rows={3} value={text.value} placeholder="j10 i8h9 k11l10" spellcheck={false} onInput={(e) => (text.value = e.currentTarget.value)} />
        </Field>
        <div class="row">
          <Button disabled={text.value.trim() === ""} onClick={() => void openFile(new TextEncoder().encode(text.value)).then((read) => read && (text.value = ""))}>Open the text</Button>
        </div>
        {shelf.value.length > 0 && (
          <Field label="Earlier">
            <select value="" onChange={(e) => {
              const item = shelf.value[Number(e.currentTarget.value)];
              if (item) reopen(item);
            }}>
              <option value="">Bring back …</option>
              {shelf.value.map((item, i) => <option key={item.name} value={i}>{item.name}</option>)}
            </select>
          </Field>
        )}
        <div class="fields"><GamePicker value={kind.value} onChange={(g) => (kind.value = g)} /></div>
        <div class="row"><Button onClick={() => open(newDoc(kind.value))}>Empty board</Button></div>
      </section>
      <section class="stack" aria-label="Save">
        <h2>Save</h2>
        <Field label="Format">
          <select value={format.value} onChange={(e) => (format.value = e.currentTarget.value)}>
            <option value="little-golem">SGF, as Little Golem</option>
            <option value="gm511">SGF, a node a stone</option>
            <option value="gm511-pairs">SGF, letter pairs</option>
            <option value="move-list">List of moves</option>
            <option value="contest">Contest record</option>
          </select>
        </Field>
        <div class="row">
          <Button primary onClick={() => void save()}>Save</Button>
          <Button onClick={() => void copyLink()}>Copy a link to this position</Button>
        </div>
      </section>
      <Info />
    </>
  );
}

function Info() {
  const { info } = doc.value;
  const fields: readonly [keyof typeof info, string][] = [
    ["black", "Black"], ["white", "White"], ["event", "Event"], ["date", "Date"], ["result", "Result"],
  ];
  return (
    <details>
      <summary>About the game</summary>
      <div class="stack">
        {fields.map(([key, label]) => (
          <Field key={key} label={label}>
            <input value={info[key]} onInput={(e) => commit({ ...doc.value, info: { ...doc.value.info, [key]: e.currentTarget.value } }, key)} />
          </Field>
        ))}
      </div>
    </details>
  );
}

/** Text for the position that is shown: for the line above the board. */
export function positionText(): string {
  const v = view.value;
  if (v.winner) return `${v.winner === "black" ? "Black" : "White"} has won.`;
  if (v.full) return "The board is full.";
  const last = v.last.map((s) => squareName(doc.value.game, s)).join(" ");
  return v.ply === 0 ? "" : `Move ${v.ply}: ${last}.`;
}
