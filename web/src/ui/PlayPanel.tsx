import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Side } from "../model/game";
import { other } from "../model/game";
import * as game from "../model/session";
import { about, doc, go, keep, read, set, settings, view } from "../model/store";
import { Button, Field, GamePicker, Title, clockText, percent } from "./parts";

interface Choice {
  level: string;
  human: Side;
  control: string;
}

const CONTROLS: readonly [string, string][] = [
  ["1s", "1 second a move"],
  ["5s", "5 seconds a move"],
  ["30s", "30 seconds a move"],
  ["300s+2s", "5 min + 2 s a move"],
  ["900s+5s", "15 min + 5 s a move"],
  ["60s+0s", "1 minute"],
];

export function PlayPanel() {
  const choice = useSignal<Choice>({ level: "casual", human: "black", control: "1s", ...read<Choice>("lambda6.choice") });
  const kind = useSignal(doc.value.game);
  const change = (part: Partial<Choice>) => {
    choice.value = { ...choice.value, ...part };
    keep("lambda6.choice", choice.value);
  };
  const s = game.session.value;
  const { level, human, control } = choice.value;
  const description = about.value?.levels.find((l) => l.name === level)?.description;
  return (
    <>
      {s && <Game />}
      <form class="stack" onSubmit={(e) => {
        e.preventDefault();
        game.start(kind.value, human, level, control);
      }}>
        <h2>{s ? "Another game" : "New game"}</h2>
        <div class="fields">
        <GamePicker value={kind.value} onChange={(g) => (kind.value = g)} />
        <Field label="Level">
          <select value={level} onChange={(e) => change({ level: e.currentTarget.value })}>
            {about.value?.levels.map((l) => <option key={l.name} value={l.name}>{l.name}</option>)}
          </select>
        </Field>
        <Field label="You play">
          <select value={human} onChange={(e) => change({ human: e.currentTarget.value as Side })}>
            <option value="black">Black (begins)</option>
            <option value="white">White</option>
          </select>
        </Field>
        <Field label="Time">
          <select value={control} onChange={(e) => change({ control: e.currentTarget.value })}>
            {CONTROLS.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
          </select>
        </Field>
        </div>
        {description && <p class="note">{level}: {description}.</p>}
        <label class="check">
          <input type="checkbox" checked={settings.value.quick} onChange={(e) => set("quick", e.currentTarget.checked)} />
          Play as soon as the last stone is placed
        </label>
        <div class="row">
          <button type="submit" class="primary">New game</button>
          {!s && view.value.ply > 0 && view.value.toPlace > 0 && (
            <Button onClick={() => game.playFromHere(human, level, control)}>Play on from here</Button>
          )}
        </div>
      </form>
    </>
  );
}

function Game() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const s = game.session.value;
  if (!s) return null;
  const thought = game.thought.value;
  const clock = (side: Side) => {
    const left = game.leftNow(side, now.value);
    const who = side === s.human ? "You" : `lambda6 ${s.level}`;
    return (
      <div class={`clock ${side} ${view.value.toMove === side && !s.result ? "running" : ""}`}>
        <span><i class={`stone-dot ${side}`} /> {who}</span>
        {left !== null && <output aria-label={`${Title(side)}'s clock`}>{clockText(left)}</output>}
      </div>
    );
  };
  const state = s.result
    ? game.resultText(s.result)
    : game.thinking.value
      ? `lambda6 thinks${thought ? ` (${percent(thought.black_chance)} for Black, depth ${thought.depth})` : ""} …`
      : game.myTurn.value
        ? "Your move."
        : game.atTip.value
          ? ""
          : "You look at another position.";
  return (
    <section class="stack" aria-label="Game">
      <div class="clocks">
        {clock(other(s.human))}
        {clock(s.human)}
      </div>
      <p role="status" class="state">{state}</p>
      <div class="row">
        {!game.atTip.value && <Button primary onClick={() => go(s.tip)}>Back to the game</Button>}
        <Button onClick={game.takeBack} disabled={!game.canTakeBack.value}>Take back move</Button>
        <Button onClick={game.askHint} disabled={!game.myTurn.value || game.hinting.value}>
          {game.hinting.value ? "Thinking …" : "Hint"}
        </Button>
        <Button onClick={game.resign} disabled={s.result !== ""}>Resign</Button>
        <Button onClick={game.leave}>Leave</Button>
      </div>
      {game.hint.value && <p>Hint: <strong>{game.hint.value}</strong></p>}
    </section>
  );
}
