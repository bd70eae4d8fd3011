/** Small parts that several panels use. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { Game } from "../model/game";
import { CONNECT6, GO_MOKU_20, gameText, moveName, parseGame } from "../model/game";
import { Icon } from "./icons";
import { about, complain, pending, send, takeBackStone, isMove, type Stage } from "../model/store";

export function Field({ label, wide, children }: { label: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <label class={`field ${wide ? "wide" : ""}`}>
      <span>{label}</span>
      {children}
    </label>
  );
}

export function Button({ primary, ...props }: JSX.ButtonHTMLAttributes & { primary?: boolean }) {
  return <button type="button" {...props} class={`${primary ? "primary" : ""} ${String(props.class ?? "")}`} />;
}

/** Chooses a game: one with a name, or five numbers. */
export function GamePicker({ value, onChange }: { value: Game; onChange: (game: Game) => void }) {
  const games = about.value?.games ?? [{ name: "connect6", description: gameText(CONNECT6) }];
  const named = games.flatMap((g) => (g.name === "go-moku" ? [g, { name: "go-moku 20x20", description: gameText(GO_MOKU_20) }] : [g]));
  const text = gameText(value);
  const known = named.find((g) => g.description === text);
  // What is being typed outlives whatever else happens on the page meanwhile.
  const typed = useSignal<string | null>(null);
  return (
    <>
      <Field label="Game">
        <select value={known?.name ?? "other"} onChange={(e) => {
          const game = named.find((g) => g.name === e.currentTarget.value);
          onChange((game && parseGame(game.description)) ?? { ...value, m: value.m === 19 ? 18 : value.m });
        }}>
          {named.map((g) => <option key={g.name} value={g.name}>{g.name}</option>)}
          <option value="other">other …</option>
        </select>
      </Field>
      {!known && (
        <Field label="Columns, rows, in a row, stones a move, on the first" wide>
          <input value={typed.value ?? text} pattern="\d+( \d+){4}" onInput={(e) => (typed.value = e.currentTarget.value)} onChange={(e) => {
            const game = parseGame(e.currentTarget.value);
            if (game) {
              typed.value = null;
              onChange(game);
            } else complain("Five numbers make a game: columns and rows to 64, in a row from 2, stones a move to 8, first move.");
          }} />
        </Field>
      )}
    </>
  );
}

/** The stones that wait, and what can be done with them. */
export function Waiting({ stage }: { stage: Stage }) {
  const stones = pending.value;
  if (stage.toPlace === 0) return null;
  const name = moveName(stage.game, stones);
  const ready = isMove(stage, stones) || (stage.partial && stones.length > 0);
  if (stones.length === 0) {
    const side = stage.toMove === "black" ? "Black" : "White";
    return (
      <p class="waiting"><span class={`stone-dot ${stage.toMove}`} /> {side} to move, {stage.toPlace} {stage.toPlace === 1 ? "stone" : "stones"}</p>
    );
  }
  return (
    <p class="waiting">
      {!ready && <span class="note">{stones.length} of {stage.toPlace}</span>}
      <Button primary disabled={!ready} onClick={() => send(stage)}>{stage.verb ?? "Play"} {name}</Button>
      <Button class="icon-button" aria-label="Take back stone" title="Take back stone (Escape)" onClick={takeBackStone}><Icon name="undo" /></Button>
    </p>
  );
}

/** A part of a whole, drawn alike in every browser. */
export function Meter({ label, value, most = 1 }: { label?: string; value: number; most?: number }) {
  const told = label ? { role: "meter" as const, "aria-label": label, "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": value } : {};
  return <span class="meter" {...told}><i style={{ width: `${most > 0 ? (value / most) * 100 : 0}%` }} /></span>;
}

/** Text for a number of milliseconds on a clock. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function download(bytes: Uint8Array, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The download has been started by now, or never will be.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const Title = (side: string): string => (side === "black" ? "Black" : "White");
