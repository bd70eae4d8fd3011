import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { browse } from "../model/browsing";
import { mainLineFrom, newDoc, pathTo } from "../model/document";
import { type Side, moveName, other } from "../model/game";
import { chanceOf, outlookText, percent } from "../model/outlook";
import * as game from "../model/session";
import { about, doc, go, open, set, settings, tab, view } from "../model/store";
import { Button, Field, GamePicker, Meter, Title, clockText } from "./parts";
import { Term } from "./Term";
import { Welcome } from "./Welcome";

const CONTROLS: readonly [string, string][] = [
  ["1s", "1 second a move"],
  ["5s", "5 seconds a move"],
  ["30s", "30 seconds a move"],
  ["300s+2s", "5 min + 2 s a move"],
  ["900s+5s", "15 min + 5 s a move"],
  ["60s+0s", "1 minute"],
];

export function PlayPanel() {
  const kind = useSignal(doc.value.game);
  const s = game.session.value;
  const { level, human, control } = game.choice.value;
  const description = about.value?.levels.find((l) => l.name === level)?.description;
  const fresh = !s && doc.value.nodes.size === 1 && !doc.value.start;
  return (
    <>
      {s ? <Game /> : <Welcome />}
      <form class="stack" onSubmit={(e) => {
        e.preventDefault();
        game.start(kind.value, game.choice.value);
      }}>
        <h2>{s ? "Another game" : "New game"}</h2>
        {!s && view.value.toPlace > 0 && (
          <p class="note">{view.value.stones === 0 ? "The first stone on the board begins it." : "A move on the board goes on from there against lambda6."}</p>
        )}
        <div class="fields">
          <GamePicker value={kind.value} onChange={(g) => {
            kind.value = g;
            // An empty board is the board of the game that will begin.
            if (fresh) open(newDoc(g));
          }} />
          <Field label="Level">
            <select value={level} onChange={(e) => game.choose({ level: e.currentTarget.value })}>
              {about.value?.levels.map((l) => <option key={l.name} value={l.name}>{l.name}</option>)}
            </select>
          </Field>
          <Field label="You play">
            <select value={human} onChange={(e) => game.choose({ human: e.currentTarget.value as Side })}>
              <option value="black">Black (begins)</option>
              <option value="white">White</option>
            </select>
          </Field>
          <Field label="Time">
            <select value={control} onChange={(e) => game.choose({ control: e.currentTarget.value })}>
              {CONTROLS.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
            </select>
          </Field>
        </div>
        {description && <p class="note"><Term name="kagami">{level}</Term>: {description}.</p>}
        <label class="check">
          <input type="checkbox" checked={settings.value.quick} onChange={(e) => set("quick", e.currentTarget.checked)} />
          Play as soon as the last stone is placed
        </label>
        <div class="row">
          <button type="submit" class={s || !fresh || human === "white" ? "primary" : ""}>New game</button>
          {!s && view.value.ply > 0 && view.value.toPlace > 0 && (
            <Button onClick={() => game.playFromHere(game.choice.value)}>Play on from here</Button>
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
      ? `lambda6 thinks${thought ? ` (depth ${thought.depth})` : ""} …`
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
        {s.result && <Button onClick={() => (tab.value = "review")}>Review the game</Button>}
        <Button onClick={game.leave}>Leave</Button>
      </div>
      {game.hint.value && <Hint hint={game.hint.value} side={s.human} />}
      <Evaluation s={s} />
      <Moves tip={s.tip} />
    </section>
  );
}

function Hint({ hint, side }: { hint: game.Hint; side: Side }) {
  const { move, outlook, proof } = hint;
  const lost = outlook && outlook.winner !== side;
  return (
    <div class="card">
      {lost && outlook.proved && <p><strong>This position is proved lost</strong>: {Title(outlook.winner)} wins{outlook.moves ? ` in ${outlook.moves}` : ""}, whatever you play.</p>}
      {lost && !outlook.proved && <p><strong>This looks lost</strong>: the search sees a win for {Title(outlook.winner)}, without a proof.</p>}
      {outlook && !lost && <p><strong>You win</strong>: {outlookText(outlook, side)}.</p>}
      <p>Hint: <strong>{move}</strong></p>
      {proof && <div class="row"><Button onClick={() => { tab.value = "prove"; void browse(proof); }}>Browse the proof</Button></div>}
    </div>
  );
}

/** How the engine judged the position after its last move. */
function Evaluation({ s }: { s: game.Session }) {
  const judged = s.judged ?? {};
  const at = pathTo(doc.value, doc.value.at).filter((n) => judged[n.id]).at(-1);
  const found = at && judged[at.id];
  const chance = found ? chanceOf(s.human, found.black_chance) : 0.5;
  return (
    <div class="evaluation">
      <label class="check"><input type="checkbox" checked={settings.value.showEvaluation} onChange={(e) => set("showEvaluation", e.currentTarget.checked)} /> Evaluation</label>
      {settings.value.showEvaluation && found && (
        <span class={`chance ${s.human}`}>
          {!found.outlook && <Meter label="Your chance" value={chance} />}
          {found.outlook ? `You: ${outlookText(found.outlook, s.human)}` : `You: ${percent(chance)}`}
        </span>
      )}
    </div>
  );
}

/** The moves of the game, as far as they were played. */
function Moves({ tip }: { tip: number }) {
  const list = useRef<HTMLOListElement>(null);
  const moves = [...pathTo(doc.value, tip), ...mainLineFrom(doc.value, tip)].filter((n) => n.move);
  useEffect(() => {
    // Only the list is scrolled: on a phone the page has to stay at the board.
    const [box, here] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")];
    if (box && here) box.scrollTop = here.offsetTop - box.clientHeight / 2;
  }, [doc.value.at]);
  if (moves.length === 0) return null;
  return (
    <ol class="move-list" ref={list} aria-label="Moves of the game">
      {moves.map((n, i) => (
        <li key={n.id}>
          <button type="button" class="step" aria-current={n.id === doc.value.at ? "step" : undefined} onClick={() => go(n.id)}>
            <span class="note">{i + 1}.</span> {moveName(doc.value.game, n.move ?? [])}
          </button>
        </li>
      ))}
    </ol>
  );
}
