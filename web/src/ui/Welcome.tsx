/** What a first visit begins with: the game in one picture, and three things to try. */
import { browse } from "../model/browsing";
import { newDoc, playLine, specAt } from "../model/document";
import { CONNECT6, parseMove } from "../model/game";
import { tried } from "../model/session";
import { complain, engine, open, set, settings, tab } from "../model/store";
import { Icon } from "./icons";
import { Button } from "./parts";

/** Black to move wins: the example of a proof. */
const EXAMPLE = "j10 l10k9 i7k7 i9j9 h9j7 l7m9 l9k8 i6h7";

async function showProof(): Promise<void> {
  tried("proof");
  const example = playLine(newDoc(CONNECT6), EXAMPLE.split(" ").map((move) => parseMove(CONNECT6, move) ?? []));
  open(example);
  tab.value = "prove";
  try {
    const found = await engine().solve({ position: specAt(example, example.at), class: "vcdt" }, () => undefined, new AbortController().signal);
    if (found.proof) await browse(found.proof);
  } catch (error) {
    complain(error);
  }
}

export function Welcome() {
  if (settings.value.guided) return null;
  const steps: readonly [string, string, string, () => void][] = [
    ["play", "Play", "Touch any square of the board. lambda6 answers.", () => document.querySelector<SVGElement>(".board")?.focus()],
    ["puzzle", "A puzzle", "Find the win in three moves.", () => { tried("puzzle"); tab.value = "puzzles"; }],
    ["proof", "A proof", "A won position: try every defence, and see the answer.", () => void showProof()],
  ];
  return (
    <section class="stack welcome" aria-label="Welcome">
      <div class="row spread">
        <h2>Six in a row win</h2>
        <Button class="plain" aria-label="Put the guide away" title="Put the guide away" onClick={() => set("guided", true)}><Icon name="close" /></Button>
      </div>
      <Picture />
      <p>Black begins with one stone. Then each move is <strong>two stones</strong>.</p>
      <ol class="steps">
        {steps.map(([id, name, text, go]) => (
          <li key={id}>
            <Button onClick={go}>{settings.value.tried.includes(id) && <Icon name="check" label="Tried" />} {name}</Button>
            <span class="note">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The stones of the picture: column, row, side, and the move that placed them. */
const STONES: readonly [number, number, "black" | "white", number][] = [
  [5, 2, "black", 1], [5, 1, "white", 2], [6, 3, "white", 2], [4, 2, "black", 3], [6, 2, "black", 3], [4, 3, "white", 4],
  [7, 1, "white", 4], [3, 2, "black", 5], [7, 2, "black", 5], [2, 2, "white", 6], [5, 4, "white", 6], [8, 2, "black", 7], [9, 3, "black", 7],
];

function Picture() {
  const columns = Array.from({ length: 12 }, (_, x) => `M${x} 0V4`).join("");
  const rows = Array.from({ length: 5 }, (_, y) => `M0 ${y}H11`).join("");
  return (
    <svg class="rules-picture" viewBox="-0.7 -0.7 12.4 5.4" role="img" aria-label="Six black stones in a row. Their numbers show that Black placed one stone with the first move, and two with each move after it.">
      <rect class="wood" x={-0.7} y={-0.7} width={12.4} height={5.4} rx={0.25} />
      <path class="lines" d={columns + rows} />
      {STONES.map(([x, y, side, move]) => (
        <g key={`${x},${y}`}>
          <circle class={`stone ${side}`} cx={x} cy={y} r={0.45} />
          <text class={side} x={x} y={y}>{move}</text>
        </g>
      ))}
      <rect class="row-of-six" x={2.45} y={1.45} width={6.1} height={1.1} rx={0.55} />
    </svg>
  );
}
