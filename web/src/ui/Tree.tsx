/**
 * The tree of a record. Drawn on a canvas, and only the part that can be seen: ten thousand nodes
 * move as smoothly as ten. A screen reader gets the variations as buttons beside it.
 */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Doc, node } from "../model/document";
import { settings } from "../model/store";

interface Placed {
  id: number;
  /** Moves from the root. */
  x: number;
  /** The lane: the main line is 0. */
  y: number;
  parent: Placed | null;
  black: boolean;
  stones: boolean;
  said: boolean;
}

const [DX, DY, R] = [26, 26, 9];

/** Each variation gets a lane of its own, below those before it. */
export function layOut(doc: Doc): Placed[] {
  const placed: Placed[] = [];
  let lanes = 0;
  const startsBlack = (doc.start?.toMove ?? "black") === "black";
  const stack: { id: number; parent: Placed | null; first: boolean; ply: number }[] = [{ id: 0, parent: null, first: true, ply: 0 }];
  for (let task = stack.pop(); task; task = stack.pop()) {
    const n = node(doc, task.id);
    const y = task.parent === null ? 0 : task.first ? task.parent.y : ++lanes;
    const ply = task.ply + (n.move ? 1 : 0);
    const at: Placed = {
      id: n.id, x: task.parent ? task.parent.x + 1 : 0, y, parent: task.parent,
      black: (ply % 2 === 1) === startsBlack, stones: n.move !== null, said: n.comment !== "" || n.marks.length > 0,
    };
    placed.push(at);
    // The first child is taken off the stack first, so that it stays in the lane.
    for (let i = n.children.length - 1; i >= 0; i--) stack.push({ id: n.children[i] ?? 0, parent: at, first: i === 0, ply });
  }
  return placed;
}

export function Tree({ doc, onGo }: { doc: Doc; onGo: (id: number) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Where the left upper corner of the canvas is in the tree, and how large the tree is drawn.
  const eye = useRef({ x: -20, y: -20, scale: 1 });
  const placed = useMemo(() => layOut(doc), [doc.nodes]);
  const byId = useMemo(() => new Map(placed.map((p) => [p.id, p])), [placed]);
  const frame = useRef(0);

  const draw = () => {
    frame.current = 0;
    const c = canvas.current;
    const ink = c?.getContext("2d");
    if (!c || !ink) return;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [c.clientWidth, c.clientHeight];
    if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) {
      [c.width, c.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const style = getComputedStyle(c);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const { x: ex, y: ey, scale } = eye.current;
    ink.setTransform(ratio * scale, 0, 0, ratio * scale, -ex * ratio * scale, -ey * ratio * scale);
    ink.clearRect(ex, ey, width / scale, height / scale);
    const [left, right] = [(ex - DX) / DX, (ex + width / scale + DX) / DX];
    const [top, bottom] = [(ey - DY) / DY, (ey + height / scale + DY) / DY];
    const seen = (p: Placed) => p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
    ink.lineWidth = 1.5;
    ink.strokeStyle = colour("--line");
    ink.beginPath();
    let drawn = 0;
    for (const p of placed) {
      const from = p.parent;
      if (!from || p.x < left || from.x > right || p.y < top || from.y > bottom) continue;
      ink.moveTo(from.x * DX, from.y * DY);
      if (p.y !== from.y) ink.lineTo(from.x * DX + DX / 2, p.y * DY);
      ink.lineTo(p.x * DX, p.y * DY);
    }
    ink.stroke();
    for (const p of placed) {
      if (!seen(p)) continue;
      drawn += 1;
      ink.beginPath();
      ink.arc(p.x * DX, p.y * DY, p.stones ? R : R / 2, 0, 7);
      ink.fillStyle = p.stones ? colour(p.black ? "--stone-black" : "--stone-white") : colour("--line");
      ink.fill();
      ink.lineWidth = p.id === doc.at ? 3.5 : 1;
      ink.strokeStyle = colour(p.id === doc.at ? "--accent" : "--line");
      ink.stroke();
      if (p.said) {
        ink.beginPath();
        ink.arc(p.x * DX, p.y * DY, 3, 0, 7);
        ink.fillStyle = colour("--accent");
        ink.fill();
      }
    }
    c.dataset.drawn = String(drawn);
    c.dataset.nodes = String(placed.length);
  };
  const redraw = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  };

  // The shown node comes into view.
  useEffect(() => {
    const [c, here] = [canvas.current, byId.get(doc.at)];
    if (c && here) {
      const e = eye.current;
      const [w, h] = [c.clientWidth / e.scale, c.clientHeight / e.scale];
      const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
      e.x = clamp(e.x, here.x * DX - w + 40, here.x * DX - 40);
      e.y = clamp(e.y, here.y * DY - h + 25, here.y * DY - 25);
    }
    redraw();
  }, [doc, placed, settings.value.theme]);

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
        const scale = Math.max(0.2, Math.min(2, e.scale * Math.exp(-event.deltaY / 300)));
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
  }, [placed]);

  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  return (
    <canvas
      ref={canvas}
      class="tree"
      role="img"
      aria-label={`Tree of ${placed.length - 1} moves. Use the arrow keys to walk it.`}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, y: event.clientY, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const d = drag.current;
        if (!d) return;
        const [dx, dy] = [event.clientX - d.x, event.clientY - d.y];
        if (!d.moved && Math.hypot(dx, dy) < 4) return;
        d.moved = true;
        eye.current.x -= dx / eye.current.scale;
        eye.current.y -= dy / eye.current.scale;
        [d.x, d.y] = [event.clientX, event.clientY];
        redraw();
      }}
      onPointerUp={(event) => {
        const moved = drag.current?.moved;
        drag.current = null;
        if (moved) return;
        const e = eye.current;
        const [tx, ty] = [e.x + event.offsetX / e.scale, e.y + event.offsetY / e.scale];
        const hit = placed.find((p) => Math.hypot(p.x * DX - tx, p.y * DY - ty) <= R + 4);
        if (hit) onGo(hit.id);
      }}
    />
  );
}
