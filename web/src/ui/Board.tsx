/**
 * The board: squares in, touches out. It is one SVG with a layer for each kind of thing; a square is
 * found from the pointer's place, not from an element of its own, so that a board of 64 by 64 with
 * painted zones stays quick.
 */
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { MarkDoc } from "../engine/schema";
import { Loupe, useLoupe } from "./Loupe";
import { type Cells, type Game, type Side, type Square, columnName, parseMove, squareName } from "../model/game";

export interface Label {
  text: string;
  kind: string;
}

export interface BoardProps {
  game: Game;
  cells: Cells;
  /** The colour of the stone that the pointer would place, if it can place one. */
  next: Side | null;
  pending?: readonly Square[];
  pendingSide?: Side;
  last?: readonly Square[];
  row?: readonly Square[];
  marks?: readonly MarkDoc[];
  paint?: ReadonlyMap<Square, string>;
  labels?: ReadonlyMap<Square, Label>;
  coordinates?: boolean;
  label: string;
  onSquare?: (square: Square) => void;
  onConfirm?: () => void;
  onTakeBack?: () => void;
  /** A screen reader is told where the cursor is. */
  onCursor?: (text: string) => void;
}

/** Lines with star points. On boards of 19 they cross in nine points, on smaller ones in the corners and the centre. */
const STARS: Record<number, number[]> = { 19: [3, 9, 15], 15: [3, 7, 11], 13: [3, 6, 9], 9: [2, 4, 6] };

export function Board(props: BoardProps) {
  const { game, cells } = props;
  const { m, n } = game;
  const svg = useRef<SVGSVGElement>(null);
  const hover = useSignal<Square | null>(null);
  const cursor = useSignal<Square | null>(null);
  const edge = props.coordinates === false ? 0.6 : 1.25;
  const [x, y] = [(s: Square) => s % m, (s: Square) => Math.floor(s / m)];

  const pointAt = (event: PointerEvent | MouseEvent): DOMPoint | null => {
    const matrix = svg.current?.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
  };
  const squareOf = (point: { x: number; y: number } | null): Square | null => {
    if (!point) return null;
    const [col, row] = [Math.round(point.x), Math.round(point.y)];
    return col >= 0 && row >= 0 && col < m && row < n ? row * m + col : null;
  };
  const squareAt = (event: PointerEvent | MouseEvent) => squareOf(pointAt(event));
  const place = (square: Square | null) => {
    if (square === null) return;
    cursor.value = null;
    props.onSquare?.(square);
  };
  const loupe = useLoupe(svg, pointAt, (point) => place(squareOf(point)));

  const describe = (s: Square): string => {
    const stone = cells[s] === 1 ? "black stone" : cells[s] === 2 ? "white stone" : "empty";
    const waiting = props.pending?.includes(s) ? "your stone, not sent" : stone;
    const label = props.labels?.get(s);
    return `${squareName(game, s)}, ${waiting}${label ? `, ${label.text}` : ""}`;
  };

  const moveCursor = (dx: number, dy: number) => {
    const from = cursor.value ?? Math.floor(n / 2) * m + Math.floor(m / 2);
    const [col, row] = [x(from) + (cursor.value === null ? 0 : dx), y(from) + (cursor.value === null ? 0 : dy)];
    if (col < 0 || row < 0 || col >= m || row >= n) return;
    cursor.value = row * m + col;
    props.onCursor?.(describe(cursor.value));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const)[
      event.key as "ArrowLeft"
    ];
    if (step) moveCursor(step[0], step[1]);
    else if (event.key === " ") cursor.value !== null && props.onSquare?.(cursor.value);
    else if (event.key === "Enter") {
      const whole = (props.pending?.length ?? 0) > 0 && (props.next === null || cursor.value === null || props.pending?.includes(cursor.value));
      if (whole) props.onConfirm?.();
      else if (cursor.value !== null) props.onSquare?.(cursor.value);
    } else if (event.key === "Backspace" || event.key === "Escape") props.onTakeBack?.();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const grid = useMemo(() => {
    const lines = [];
    for (let col = 0; col < m; col++) lines.push(`M${col} 0V${n - 1}`);
    for (let row = 0; row < n; row++) lines.push(`M0 ${row}H${m - 1}`);
    return lines.join("");
  }, [m, n]);
  const stars = useMemo(() => {
    const [cols, rows] = [STARS[m] ?? [], STARS[n] ?? []];
    const is = (cx: number, cy: number) => (m === 19 && n === 19) || (cx === cols[1]) === (cy === rows[1]);
    return cols.flatMap((cx) => rows.filter((cy) => is(cx, cy)).map((cy) => <circle key={`${cx},${cy}`} class="star" cx={cx} cy={cy} r={0.09} />));
  }, [m, n]);
  const names = useMemo(() => {
    if (props.coordinates === false) return null;
    const texts = [];
    for (let col = 0; col < m; col++) {
      for (const cy of [-0.95, n - 0.05]) texts.push(<text key={`c${col},${cy}`} x={col} y={cy}>{columnName(col)}</text>);
    }
    for (let row = 0; row < n; row++) {
      for (const cx of [-0.95, m - 0.05]) texts.push(<text key={`r${row},${cx}`} x={cx} y={row}>{n - row}</text>);
    }
    return <g class="coordinates" aria-hidden="true">{texts}</g>;
  }, [m, n, props.coordinates]);
  const stones = useMemo(() => {
    const found = [];
    for (let s = 0; s < cells.length; s++) {
      if (cells[s]) found.push(<circle key={s} class={cells[s] === 1 ? "stone black" : "stone white"} cx={x(s)} cy={y(s)} r={0.47} />);
    }
    return found;
  }, [cells]);

  const dark = (s: Square) => cells[s] === 1 || (props.pending?.includes(s) && props.pendingSide === "black");

  return (
    <svg
      ref={svg}
      class="board"
      viewBox={`${-edge} ${-edge} ${m - 1 + 2 * edge} ${n - 1 + 2 * edge}`}
      tabindex={0}
      role="application"
      aria-roledescription="board"
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onPointerDown={loupe.down}
      onPointerMove={(event) => {
        hover.value = event.pointerType === "touch" ? null : squareAt(event);
        loupe.move(event);
      }}
      onPointerUp={loupe.up}
      onPointerCancel={loupe.cancel}
      onPointerLeave={() => (hover.value = null)}
      onContextMenu={(event) => loupe.at.value && event.preventDefault()}
      onClick={(event) => loupe.used() || place(squareAt(event))}
    >
      <defs>
        <radialGradient id="black-stone" cx="35%" cy="30%" r="75%"><stop class="light" offset="0" /><stop class="deep" offset="0.75" /></radialGradient>
        <radialGradient id="white-stone" cx="35%" cy="30%" r="80%"><stop class="pale" offset="0.35" /><stop class="shade" offset="1" /></radialGradient>
      </defs>
      {/* The class is for the copy that the magnifier shows: styles look no further up than this. */}
      <g id="board-layers" class="board">
      <rect class="wood" x={-edge} y={-edge} width={m - 1 + 2 * edge} height={n - 1 + 2 * edge} rx={0.2} />
      <g class="paint">
        {[...(props.paint ?? [])].map(([s, kind]) => (
          <rect key={s} class={kind} x={x(s) - 0.5} y={y(s) - 0.5} width={1} height={1} />
        ))}
      </g>
      <path class="grid" d={grid} />
      {stars}
      {names}
      <g class="stones">{stones}</g>
      {props.row?.map((s) => <circle key={s} class="winning" cx={x(s)} cy={y(s)} r={0.47} />)}
      {props.last?.map((s) => <circle key={s} class={`last ${cells[s] === 1 ? "on-black" : "on-white"}`} cx={x(s)} cy={y(s)} r={0.2} />)}
      <g class="pending">
        {props.pending?.map((s) => (
          <g key={s} data-square={squareName(game, s)}>
            <circle class={`stone ${props.pendingSide ?? "black"}`} cx={x(s)} cy={y(s)} r={0.47} />
            <circle class="ring" cx={x(s)} cy={y(s)} r={0.47} />
          </g>
        ))}
      </g>
      <g class="labels" aria-hidden="true">
        {[...(props.labels ?? [])].map(([s, { text, kind }]) => (
          <g key={s}>
            {!cells[s] && <circle class={`label-back ${kind}`} cx={x(s)} cy={y(s)} r={0.4} />}
            <text class={`label ${kind} ${dark(s) ? "on-black" : ""}`} x={x(s)} y={y(s)} textLength={text.length > 2 ? 0.7 : undefined} lengthAdjust="spacingAndGlyphs">{text}</text>
          </g>
        ))}
      </g>
      <g class="marks" aria-hidden="true">{props.marks?.map((mark, i) => <MarkShape key={i} mark={mark} game={game} dark={dark} />)}</g>
      </g>
      <Ghost hover={hover} next={props.next} cells={cells} pending={props.pending ?? []} m={m} />
      <Cursor cursor={cursor} m={m} />
      <Loupe at={loupe.at} square={squareOf} m={m} n={n} layers="board-layers" />
    </svg>
  );
}

/** The stone under the pointer. Apart from the rest, so that moving the pointer draws nothing else. */
function Ghost({ hover, next, cells, pending, m }: {
  hover: { value: Square | null }; next: Side | null; cells: Cells; pending: readonly Square[]; m: number;
}) {
  const s = hover.value;
  if (s === null || !next || cells[s] || pending.includes(s)) return null;
  return <circle class={`ghost stone ${next}`} cx={s % m} cy={Math.floor(s / m)} r={0.47} />;
}

function Cursor({ cursor, m }: { cursor: { value: Square | null }; m: number }) {
  const s = cursor.value;
  if (s === null) return null;
  return <rect class="cursor" x={(s % m) - 0.5} y={Math.floor(s / m) - 0.5} width={1} height={1} rx={0.12} />;
}

function MarkShape({ mark, game, dark }: { mark: MarkDoc; game: Game; dark: (s: Square) => boolean | undefined }) {
  const place = (name: string | null | undefined) => (name ? parseMove(game, name)?.[0] : undefined);
  const s = place(mark.at);
  if (s === undefined) return null;
  const [cx, cy] = [s % game.m, Math.floor(s / game.m)];
  const kind = `mark ${dark(s) ? "on-black" : ""}`;
  switch (mark.kind) {
    case "TR":
      return <path class={kind} d={`M${cx} ${cy - 0.3}L${cx + 0.27} ${cy + 0.18}H${cx - 0.27}Z`} />;
    case "SQ":
      return <rect class={kind} x={cx - 0.22} y={cy - 0.22} width={0.44} height={0.44} />;
    case "CR":
      return <circle class={kind} cx={cx} cy={cy} r={0.24} />;
    case "MA":
      return <path class={kind} d={`M${cx - 0.22} ${cy - 0.22}l.44 .44m0 -.44l-.44 .44`} />;
    case "LB":
      return (
        <g>
          <circle class="label-back mark-back" cx={cx} cy={cy} r={0.34} />
          <text class="label" x={cx} y={cy}>{mark.text}</text>
        </g>
      );
    case "LN":
    case "AR": {
      const to = place(mark.to);
      return to === undefined ? null : <path class={kind} d={`M${cx} ${cy}L${to % game.m} ${Math.floor(to / game.m)}`} />;
    }
    case "SL":
    case "DD":
    case "TB":
    case "TW":
      return <rect class={`area ${mark.kind}`} x={cx - 0.5} y={cy - 0.5} width={1} height={1} />;
    default:
      return null;
  }
}
