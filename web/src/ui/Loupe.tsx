/**
 * A magnifier for fingers: held on the board, it shows the squares under the finger enlarged, and lets go of a stone on
 * the square in its middle. A short touch places a stone as ever, and a swipe scrolls the page.
 */
import { useSignal } from "@preact/signals";
import { type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Square } from "../model/game";

/** Milliseconds until a touch is a hold, and pixels that it may move until then. */
const [HOLD_MS, STILL] = [260, 10];
/** Squares from the middle to the edge of the magnifier, and how much larger they are. */
const [RADIUS, SCALE] = [3.4, 2.3];
/** Squares from the finger to the middle of the magnifier. */
const ABOVE = 5.2;

interface Point {
  x: number;
  y: number;
}

export function useLoupe(svg: RefObject<SVGSVGElement>, pointAt: (event: PointerEvent) => Point | null, place: (at: Point) => void) {
  const at = useSignal<Point | null>(null);
  const held = useRef({ timer: 0, x: 0, y: 0, used: false });
  const end = () => {
    clearTimeout(held.current.timer);
    at.value = null;
  };
  useEffect(() => {
    // While the magnifier is open, the page stays where it is.
    const stay = (event: TouchEvent) => at.value && event.cancelable && event.preventDefault();
    const board = svg.current;
    board?.addEventListener("touchmove", stay, { passive: false });
    return () => {
      clearTimeout(held.current.timer);
      board?.removeEventListener("touchmove", stay);
    };
  }, []);
  return {
    at,
    down: (event: PointerEvent) => {
      held.current.used = false;
      if (event.pointerType !== "touch") return;
      end();
      const point = pointAt(event);
      held.current = { x: event.clientX, y: event.clientY, used: false, timer: setTimeout(() => (at.value = point), HOLD_MS) as unknown as number };
    },
    move: (event: PointerEvent) => {
      if (at.value) at.value = pointAt(event);
      else if (Math.hypot(event.clientX - held.current.x, event.clientY - held.current.y) > STILL) clearTimeout(held.current.timer);
    },
    up: () => {
      const point = at.value;
      end();
      if (!point) return;
      held.current.used = true;
      place(point);
    },
    cancel: end,
    /** Whether the click that follows a touch has been dealt with. */
    used: () => held.current.used,
  };
}

/** The magnifier itself, drawn over the board. `layers` is the name of what it enlarges. */
export function Loupe({ at, square, m, n, layers }: { at: { value: Point | null }; square: (at: Point) => Square | null; m: number; n: number; layers: string }) {
  const point = at.value;
  if (!point) return null;
  const x = Math.max(RADIUS - 1.5, Math.min(m + 0.5 - RADIUS, point.x));
  const y = point.y - ABOVE > -2 ? point.y - ABOVE : point.y + ABOVE;
  const target = square(point);
  const move = `translate(${x} ${y}) scale(${SCALE}) translate(${-point.x} ${-point.y})`;
  return (
    <g class="loupe" aria-hidden="true">
      <clipPath id="loupe-edge"><circle cx={x} cy={y} r={RADIUS} /></clipPath>
      <circle class="wood" cx={x} cy={y} r={RADIUS} />
      <g clip-path="url(#loupe-edge)">
        <g transform={move}>
          <use href={`#${layers}`} />
          {target !== null && target < m * n && <rect class="target" x={(target % m) - 0.5} y={Math.floor(target / m) - 0.5} width={1} height={1} rx={0.12} />}
        </g>
      </g>
      <circle class="edge" cx={x} cy={y} r={RADIUS} />
    </g>
  );
}
