/** Who stands better over the game: a side's chance after each move. */
import { stands, line } from "../model/analysis";
import { chanceOf, outlookOf, outlookText, percent, viewedInGame } from "../model/outlook";
import { doc, go } from "../model/store";
import { Title } from "./parts";
import { Term } from "./Term";

const [W, H] = [320, 90];

export function Graph() {
  const { ids, moves } = line.value;
  const known = stands.value.line === moves.join(" ") ? stands.value.of : new Map();
  if (known.size === 0) return null;
  const side = viewedInGame.value;
  const here = ids.indexOf(doc.value.at);
  const x = (ply: number) => (moves.length === 0 ? 0 : (ply / moves.length) * W);
  const y = (black: number) => (1 - chanceOf(side, black)) * H;
  const points = [...known.values()].sort((a, b) => a.after - b.after);
  const path = points.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.after).toFixed(1)} ${y(p.black_chance).toFixed(1)}`).join("");
  const last = points.at(-1);
  const area = `${path}L${x(last?.after ?? 0)} ${H}L${x(points[0]?.after ?? 0)} ${H}Z`;
  const pick = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * moves.length);
    const id = ids[Math.max(0, Math.min(moves.length, ply))];
    if (id !== undefined) go(id);
  };
  const now = known.get(here);
  const outlook = now && outlookOf(now.status);
  return (
    <figure class={`graph ${side}`}>
      <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={`${Title(side)}'s chance of winning after each move`} onClick={pick}>
        <rect class="other-side" width={W} height={H} />
        <path class="this-side" d={area} />
        <path class="middle" d={`M0 ${H / 2}H${W}`} />
        <path class="chance-line" d={path} />
        {here >= 0 && <path class="here" d={`M${x(here)} 0V${H}`} />}
      </svg>
      <figcaption>
        {now
          ? <>After move {here}: {Title(side)} {outlook ? outlookText(outlook, side) : percent(chanceOf(side, now.black_chance))} (<Term name="status">{now.status}</Term>)</>
          : `${known.size} of ${moves.length + 1} positions`}
      </figcaption>
    </figure>
  );
}
