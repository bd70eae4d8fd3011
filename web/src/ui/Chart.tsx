/** Who stands better over a game: a side's chance after each move, with dots where a move was a mistake. */
import { chanceOf, viewedInGame } from "../model/outlook";
import { go } from "../model/store";
import { Title } from "./parts";

const [W, H] = [320, 90];

export interface ChartPoint {
  after: number;
  black_chance: number;
}
export interface ChartMark {
  after: number;
  /** From 0, good, to 3. */
  grade: number;
}

export function Chart({ ids, here, points, marks = [] }: {
  /** The nodes of the line; a touch goes to one. */
  ids: readonly number[];
  /** How many moves are shown on the board; -1 if the position is not one of the line. */
  here: number;
  points: readonly ChartPoint[];
  marks?: readonly ChartMark[];
}) {
  const side = viewedInGame.value;
  const moves = Math.max(1, ids.length - 1);
  const x = (ply: number) => (ply / moves) * W;
  const y = (black: number) => (1 - chanceOf(side, black)) * H;
  const sorted = [...points].sort((a, b) => a.after - b.after);
  const path = sorted.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.after).toFixed(1)} ${y(p.black_chance).toFixed(1)}`).join("");
  const area = `${path}L${x(sorted.at(-1)?.after ?? 0)} ${H}L${x(sorted[0]?.after ?? 0)} ${H}Z`;
  const pick = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const id = ids[Math.max(0, Math.min(moves, Math.round(((event.clientX - box.left) / box.width) * moves)))];
    if (id !== undefined) go(id);
  };
  const at = new Map(sorted.map((p) => [p.after, p]));
  if (sorted.length === 0) return null;
  return (
    <div class={`chart ${side}`}>
      <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={`${Title(side)}'s chance of winning after each move`} onClick={pick}>
        <rect class="other-side" width={W} height={H} />
        <path class="this-side" d={area} />
        <path class="middle" d={`M0 ${H / 2}H${W}`} />
        <path class="chance-line" d={path} />
        {here >= 0 && <path class="here" d={`M${x(here)} 0V${H}`} />}
      </svg>
      {marks.map(({ after, grade }) => {
        const point = at.get(after);
        return point && <i key={after} class={`grade quality-${grade}`} style={{ left: `${(x(after) / W) * 100}%`, top: `${(y(point.black_chance) / H) * 100}%` }} />;
      })}
    </div>
  );
}
