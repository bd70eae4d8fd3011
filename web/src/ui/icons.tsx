/** Icons drawn as lines, since fonts may lack the glyphs. */

const PATHS = {
  first: "M18 5l-7 7 7 7M8 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M6 5l7 7-7 7M16 5v14",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  help: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M9.2 9.2a2.9 2.9 0 1 1 4.4 2.5c-1 .6-1.6 1.2-1.6 2.3M12 17.4v.2",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M5 10V5h5M19 14v5h-5M5 5l6 6M19 19l-6-6",
  enlarge: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  undo: "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  play: "M8 5v14l11-7z",
  record: "M6 3h9l4 4v14H6zM9 11h7M9 15h7",
  review: "M4 19l5-7 4 4 7-10M4 4v16h16",
  analyse: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  prove: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  search: "M12 4v5M12 9l-6 5M12 9l6 5M6 14v5M18 14v5M12 9v10",
  puzzles: "M9 4h6v3a2 2 0 1 0 4 2v6h-3a2 2 0 1 0-2 4H5V9h3a2 2 0 1 0 1-5z",
  atlas: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14",
  flame: "M12 3c1 4 5 6 5 11a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-6 1-10z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" role={label ? "img" : undefined} aria-label={label} aria-hidden={label ? undefined : true}>
      <path d={PATHS[name]} />
    </svg>
  );
}
