/**
 * A tree that can be moved and zoomed. Drawn on a canvas, and only the part that can be seen: ten
 * thousand nodes move as smoothly as ten.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { settings } from "../model/store";
import { Icon } from "./icons";
import { Button } from "./parts";

export interface Placed {
  id: number;
  /** Moves from the root. */
  x: number;
  /** The lane: the main line is 0. */
  y: number;
  parent: Placed | null;
  look: Look;
}

/** How a node is drawn; colours by their names in the style sheet. */
export interface Look {
  fill: string;
  small?: boolean;
  dot?: string | null;
  ring?: string | null;
  text?: string;
}

/** Gives each variation a lane of its own, below those before it. */
export function layOut<T extends { id: number }>(
  root: T, children: (node: T) => readonly number[], get: (id: number) => T | undefined, look: (node: T) => Look,
): Placed[] {
  const placed: Placed[] = [];
  let lanes = 0;
  const stack: { node: T; parent: Placed | null; first: boolean }[] = [{ node: root, parent: null, first: true }];
  for (let task = stack.pop(); task; task = stack.pop()) {
    const { node, parent } = task;
    const y = parent === null ? 0 : task.first ? parent.y : ++lanes;
    const at: Placed = { id: node.id, x: parent ? parent.x + 1 : 0, y, parent, look: look(node) };
    placed.push(at);
    // The first child is taken off the stack first, so that it stays in the lane.
    const below = children(node);
    for (let i = below.length - 1; i >= 0; i--) {
      const child = get(below[i] ?? -1);
      if (child) stack.push({ node: child, parent: at, first: i === 0 });
    }
  }
  return placed;
}

const R = 9;
const [LEAST, MOST] = [0.04, 2.5];
const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

export function TreeCanvas({ items, version = 0, at, dx = 26, dy = 26, tall, label, onGo }: {
  items: readonly Placed[];
  /** Changes when the looks of the items do. */
  version?: number;
  at: number;
  dx?: number;
  dy?: number;
  tall?: boolean;
  label: string;
  onGo: (id: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const large = useSignal(false);
  // Where the left upper corner of the canvas is in the tree, and how large the tree is drawn.
  const eye = useRef({ x: -20, y: -20, scale: 1 });
  const byId = useMemo(() => new Map(items.map((p) => [p.id, p])), [items]);
  const frame = useRef(0);
  const latest = useRef({ items, at });
  latest.current = { items, at };

  const draw = () => {
    frame.current = 0;
    const c = canvas.current;
    if (c) paint(c, eye.current, latest.current.items, latest.current.at, dx, dy);
  };
  const redraw = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  };
  /** Zooms around a point of the canvas. */
  const zoom = (factor: number, px?: number, py?: number) => {
    const [e, c] = [eye.current, canvas.current];
    const [ox, oy] = [px ?? (c?.clientWidth ?? 0) / 2, py ?? (c?.clientHeight ?? 0) / 2];
    const scale = clamp(e.scale * factor, LEAST, MOST);
    e.x += ox / e.scale - ox / scale;
    e.y += oy / e.scale - oy / scale;
    e.scale = scale;
    redraw();
  };
  /** Shows all of the tree, as far as that makes sense. */
  const fit = () => {
    const c = canvas.current;
    if (!c) return;
    const [wide, high] = items.reduce(([w, h], p) => [Math.max(w, p.x), Math.max(h, p.y)], [0, 0]);
    const scale = Math.min(c.clientWidth / (wide * dx + dx + 40), c.clientHeight / (high * dy + 40));
    eye.current = { x: -20, y: -20, scale: clamp(scale, LEAST, 1) };
    redraw();
  };
  const toShown = () => {
    const [c, here, e] = [canvas.current, byId.get(at), eye.current];
    if (c && here) {
      const [w, h] = [c.clientWidth / e.scale, c.clientHeight / e.scale];
      e.x = clamp(e.x, here.x * dx - w + Math.min(dx, w / 2) + 20, here.x * dx - 40);
      e.y = clamp(e.y, here.y * dy - h + 25, here.y * dy - 25);
    }
    redraw();
  };

  // The shown node comes into view.
  useEffect(toShown, [at]);
  useEffect(redraw, [items, version, settings.value.theme]);

  useEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const observer = new ResizeObserver(redraw);
    observer.observe(c);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    // Not passive: the page must not scroll with it.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const e = eye.current;
      if (event.ctrlKey || event.metaKey) return zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
      e.x += event.deltaX / e.scale;
      e.y += event.deltaY / e.scale;
      redraw();
    };
    c.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", redraw);
      c.removeEventListener("wheel", wheel);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, []);

  // One pointer moves the tree, two zoom it.
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const moved = useRef(false);
  const onMove = (event: PointerEvent) => {
    const was = pointers.current.get(event.pointerId);
    if (!was) return;
    const now = { x: event.offsetX, y: event.offsetY };
    if (pointers.current.size === 1) {
      if (!moved.current && Math.hypot(now.x - was.x, now.y - was.y) < 4) return;
      eye.current.x -= (now.x - was.x) / eye.current.scale;
      eye.current.y -= (now.y - was.y) / eye.current.scale;
      redraw();
    } else {
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (!other) return;
      const apart = (p: { x: number; y: number }) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
      zoom(apart(now) / apart(was), other.x, other.y);
    }
    moved.current = true;
    pointers.current.set(event.pointerId, now);
  };
  const onUp = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    if (moved.current || event.type === "pointercancel") return;
    const e = eye.current;
    const [tx, ty] = [e.x + event.offsetX / e.scale, e.y + event.offsetY / e.scale];
    const reach = Math.max(R + 4, 8 / e.scale);
    let hit: { id: number; far: number } | null = null;
    for (const p of items) {
      const far = Math.hypot(p.x * dx - tx, p.y * dy - ty);
      if (far <= reach && (!hit || far < hit.far)) hit = { id: p.id, far };
    }
    if (hit) onGo(hit.id);
  };
  const toggle = () => (large.value = !large.value);
  return (
    <div class={`tree-box ${tall ? "tall" : ""} ${large.value ? "large" : ""}`} onKeyDown={(event) => {
      if (event.key !== "Escape" || !large.value) return;
      event.stopPropagation();
      toggle();
    }}>
      <canvas
        ref={canvas} class="tree" role="img" aria-label={label}
        onPointerDown={(event) => {
          moved.current = pointers.current.size > 0;
          pointers.current.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={onUp}
      />
      <div class="tree-tools" role="group" aria-label="View of the tree">
        <Button aria-label="Zoom out" title="Zoom out (Ctrl and wheel)" onClick={() => zoom(1 / 1.5)}><Icon name="minus" /></Button>
        <Button aria-label="Zoom in" title="Zoom in (Ctrl and wheel)" onClick={() => zoom(1.5)}><Icon name="plus" /></Button>
        <Button aria-label="Show all" title="Show all" onClick={fit}><Icon name="fit" /></Button>
        <Button aria-label="Enlarge" title={large.value ? "Smaller (Escape)" : "Enlarge"} aria-pressed={large.value} onClick={toggle}><Icon name={large.value ? "close" : "enlarge"} /></Button>
      </div>
    </div>
  );
}

function paint(c: HTMLCanvasElement, eye: { x: number; y: number; scale: number }, items: readonly Placed[], at: number, dx: number, dy: number): void {
  const ink = c.getContext("2d");
  if (!ink) return;
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
  const { x: ex, y: ey, scale } = eye;
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
  // From afar a node is a few pixels: nobody can tell a circle from a square.
  const far = scale < 0.3;
  let drawn = 0;
  for (const p of items) {
    if (p.x < left || p.x > right || p.y < top || p.y > bottom) continue;
    drawn += 1;
    const { look } = p;
    const shown = p.id === at;
    const [px, py, r] = [p.x * dx, p.y * dy, look.small ? R / 2 : R];
    if (far && !shown) {
      ink.fillStyle = colour(look.ring ?? look.fill);
      ink.fillRect(px - r, py - r, 2 * r, 2 * r);
      continue;
    }
    ink.beginPath();
    ink.arc(px, py, r, 0, 7);
    ink.fillStyle = colour(look.fill);
    ink.fill();
    ink.lineWidth = shown ? Math.max(3.5, 2 / scale) : look.ring ? 2.5 : 1;
    ink.strokeStyle = colour(shown ? "--accent" : (look.ring ?? "--line"));
    ink.stroke();
    if (look.dot) {
      ink.beginPath();
      ink.arc(px, py, 3, 0, 7);
      ink.fillStyle = colour(look.dot);
      ink.fill();
    }
    if (look.text && scale > 0.5) {
      ink.fillStyle = colour("--text");
      ink.fillText(look.text, px + R + 3, py - 2);
    }
  }
  c.dataset.drawn = String(drawn);
  c.dataset.nodes = String(items.length);
  c.dataset.scale = scale.toFixed(2);
}

/** The colour of a scheme: a canvas does not know `light-dark()`. */
function resolve(value: string, scheme: string): string {
  const pair = /^light-dark\(\s*([^,]+),\s*([^)]+)\)$/.exec(value);
  if (!pair) return value;
  const dark = scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
  return (dark ? pair[2] : pair[1]) ?? value;
}
