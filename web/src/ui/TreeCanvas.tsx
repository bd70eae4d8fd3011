/**
 * A tree that can be moved and zoomed. Drawn on a canvas, and only the part that can be seen: ten
 * thousand nodes move as smoothly as ten.
 */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { settings } from "../model/store";

export interface Placed {
  id: number;
  /** Moves from the root. */
  x: number;
  /** The lane: the main line is 0. */
  y: number;
  parent: Placed | null;
  /** Names of colours in the style sheet. */
  fill: string;
  small?: boolean;
  dot?: string | null;
  ring?: string | null;
  text?: string;
}

/** A node before it has a place. */
export interface Unplaced {
  id: number;
  children: readonly number[];
}

/** Gives each variation a lane of its own, below those before it. */
export function layOut<T extends Unplaced>(
  root: T, get: (id: number) => T | undefined, look: (node: T, parent: Placed | null) => Omit<Placed, "id" | "x" | "y" | "parent">,
): Placed[] {
  const placed: Placed[] = [];
  let lanes = 0;
  const stack: { node: T; parent: Placed | null; first: boolean }[] = [{ node: root, parent: null, first: true }];
  for (let task = stack.pop(); task; task = stack.pop()) {
    const { node, parent } = task;
    const y = parent === null ? 0 : task.first ? parent.y : ++lanes;
    const at: Placed = { id: node.id, x: parent ? parent.x + 1 : 0, y, parent, ...look(node, parent) };
    placed.push(at);
    // The first child is taken off the stack first, so that it stays in the lane.
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = get(node.children[i] ?? -1);
      if (child) stack.push({ node: child, parent: at, first: i === 0 });
    }
  }
  return placed;
}

const R = 9;

export function TreeCanvas({ items, at, dx = 26, dy = 26, label, onGo }: {
  items: readonly Placed[]; at: number; dx?: number; dy?: number; label: string; onGo: (id: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Where the left upper corner of the canvas is in the tree, and how large the tree is drawn.
  const eye = useRef({ x: -20, y: -20, scale: 1 });
  const byId = useMemo(() => new Map(items.map((p) => [p.id, p])), [items]);
  const frame = useRef(0);
  const latest = useRef({ items, at });
  latest.current = { items, at };

  const draw = () => {
    frame.current = 0;
    const c = canvas.current;
    const ink = c?.getContext("2d");
    if (!c || !ink) return;
    const { items, at } = latest.current;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [c.clientWidth, c.clientHeight];
    if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) {
      [c.width, c.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const style = getComputedStyle(c);
    const known = new Map<string, string>();
    const colour = (name: string) => {
      let value = known.get(name);
      if (value === undefined) known.set(name, (value = resolve(style.getPropertyValue(name).trim(), style.colorScheme)));
      return value;
    };
    const { x: ex, y: ey, scale } = eye.current;
    ink.setTransform(ratio * scale, 0, 0, ratio * scale, -ex * ratio * scale, -ey * ratio * scale);
    ink.clearRect(ex, ey, width / scale, height / scale);
    const [left, right] = [(ex - dx) / dx, (ex + width / scale + dx) / dx];
    const [top, bottom] = [(ey - dy) / dy, (ey + height / scale + dy) / dy];
    ink.lineWidth = 1.5;
    ink.strokeStyle = colour("--line");
    ink.beginPath();
    // A node has one trunk, which ends at the last of its children that can be seen, and a branch for each.
    const trunks = new Map<Placed, number>();
    const branch = Math.min(dx / 2, 13);
    for (const p of items) {
      const from = p.parent;
      if (!from || p.x < left || from.x > right || p.y < top || from.y > bottom) continue;
      const beside = p.y !== from.y;
      if (beside) trunks.set(from, Math.max(trunks.get(from) ?? from.y, Math.min(p.y, bottom)));
      if (p.y > bottom) continue;
      ink.moveTo(from.x * dx + (beside ? branch : 0), p.y * dy);
      ink.lineTo(p.x * dx, p.y * dy);
    }
    for (const [from, end] of trunks) {
      ink.moveTo(from.x * dx + branch, Math.max(from.y, top) * dy);
      ink.lineTo(from.x * dx + branch, end * dy);
      if (from.y >= top) {
        ink.moveTo(from.x * dx, from.y * dy);
        ink.lineTo(from.x * dx + branch, from.y * dy);
      }
    }
    ink.stroke();
    ink.font = "11px system-ui, sans-serif";
    ink.textBaseline = "bottom";
    let drawn = 0;
    for (const p of items) {
      if (p.x < left || p.x > right || p.y < top || p.y > bottom) continue;
      drawn += 1;
      ink.beginPath();
      ink.arc(p.x * dx, p.y * dy, p.small ? R / 2 : R, 0, 7);
      ink.fillStyle = colour(p.fill);
      ink.fill();
      ink.lineWidth = p.id === at ? 3.5 : p.ring ? 2.5 : 1;
      ink.strokeStyle = colour(p.id === at ? "--accent" : (p.ring ?? "--line"));
      ink.stroke();
      if (p.dot) {
        ink.beginPath();
        ink.arc(p.x * dx, p.y * dy, 3, 0, 7);
        ink.fillStyle = colour(p.dot);
        ink.fill();
      }
      if (p.text && scale > 0.5) {
        ink.fillStyle = colour("--text");
        ink.fillText(p.text, p.x * dx + R + 3, p.y * dy - 1);
      }
    }
    c.dataset.drawn = String(drawn);
    c.dataset.nodes = String(items.length);
  };
  const redraw = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  };

  // The shown node comes into view.
  useEffect(() => {
    const [c, here] = [canvas.current, byId.get(at)];
    if (c && here) {
      const e = eye.current;
      const [w, h] = [c.clientWidth / e.scale, c.clientHeight / e.scale];
      const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
      e.x = clamp(e.x, here.x * dx - w + 40, here.x * dx - 40);
      e.y = clamp(e.y, here.y * dy - h + 25, here.y * dy - 25);
    }
    redraw();
  }, [at]);
  useEffect(redraw, [items, settings.value.theme]);

  useEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const observer = new ResizeObserver(redraw);
    observer.observe(c);
    // Not passive: the page must not scroll with it.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const e = eye.current;
      if (event.ctrlKey) {
        const scale = Math.max(0.15, Math.min(2, e.scale * Math.exp(-event.deltaY / 300)));
        e.x += event.offsetX / e.scale - event.offsetX / scale;
        e.y += event.offsetY / e.scale - event.offsetY / scale;
        e.scale = scale;
      } else {
        e.x += event.deltaX / e.scale;
        e.y += event.deltaY / e.scale;
      }
      redraw();
    };
    c.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      c.removeEventListener("wheel", wheel);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, []);

  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  return (
    <canvas
      ref={canvas}
      class="tree"
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, y: event.clientY, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const d = drag.current;
        if (!d) return;
        const [mx, my] = [event.clientX - d.x, event.clientY - d.y];
        if (!d.moved && Math.hypot(mx, my) < 4) return;
        d.moved = true;
        eye.current.x -= mx / eye.current.scale;
        eye.current.y -= my / eye.current.scale;
        [d.x, d.y] = [event.clientX, event.clientY];
        redraw();
      }}
      onPointerUp={(event) => {
        const moved = drag.current?.moved;
        drag.current = null;
        if (moved) return;
        const e = eye.current;
        const [tx, ty] = [e.x + event.offsetX / e.scale, e.y + event.offsetY / e.scale];
        const hit = items.find((p) => Math.hypot(p.x * dx - tx, p.y * dy - ty) <= R + 4);
        if (hit) onGo(hit.id);
      }}
    />
  );
}

/** The colour of a scheme: a canvas does not know `light-dark()`. */
function resolve(value: string, scheme: string): string {
  const pair = /^light-dark\(\s*([^,]+),\s*([^)]+)\)$/.exec(value);
  if (!pair) return value;
  const dark = scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
  return (dark ? pair[2] : pair[1]) ?? value;
}
