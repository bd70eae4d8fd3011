/** Games, squares and moves, as the engine names them: `j10`, `k11l10`, `-` for no stone. */

export interface Game {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly p: number;
  readonly q: number;
}

export type Side = "black" | "white";

/** A square by its number: by row from the top, then by column. */
export type Square = number;

/** What stands on each square: 0 nothing, 1 black, 2 white. */
export type Cells = Uint8Array;

export const CONNECT6: Game = { m: 19, n: 19, k: 6, p: 2, q: 1 };

/** Boards of go-moku that the page offers. */
export const GO_MOKU_20: Game = { m: 20, n: 20, k: 5, p: 1, q: 1 };

/** A move as an example of how to write one. */
export const exampleMove = (g: Game): string => {
  const middle = Math.floor(g.n / 2) * g.m + Math.floor(g.m / 2);
  const squares = Array.from({ length: g.p }, (_, i) => middle + i).filter((s) => s < g.m * g.n);
  return sameGame(g, CONNECT6) ? "k11l10" : moveName(g, squares);
};

export const other = (side: Side): Side => (side === "black" ? "white" : "black");

export const stoneOf = (side: Side): number => (side === "black" ? 1 : 2);

export const gameText = (g: Game): string => `${g.m} ${g.n} ${g.k} ${g.p} ${g.q}`;

export const sameGame = (a: Game, b: Game): boolean => gameText(a) === gameText(b);

/** The game of five numbers, if they make one. */
export function parseGame(text: string): Game | null {
  const numbers = text.trim().split(/[\s,.]+/).map(Number);
  if (numbers.length !== 5 || !numbers.every(Number.isInteger)) return null;
  const [m, n, k, p, q] = numbers as [number, number, number, number, number];
  const within = (value: number, low: number, high: number) => value >= low && value <= high;
  const possible = within(m, 1, 64) && within(n, 1, 64) && within(k, 2, 64) && within(p, 1, 8) && within(q, 1, 8);
  return possible ? { m, n, k, p, q } : null;
}

export function columnName(col: number): string {
  const letter = (n: number) => String.fromCharCode(97 + n);
  return col < 26 ? letter(col) : letter(Math.floor(col / 26) - 1) + letter(col % 26);
}

export function squareName(g: Game, square: Square): string {
  return columnName(square % g.m) + String(g.n - Math.floor(square / g.m));
}

export const moveName = (g: Game, squares: readonly Square[]): string =>
  squares.length === 0 ? "-" : squares.map((s) => squareName(g, s)).join("");

/** The squares of a text such as `k11l10`; null when a part of it is no square of the board. */
export function parseMove(g: Game, text: string): Square[] | null {
  const squares: Square[] = [];
  let rest = text.trim().toLowerCase().replace(/[\s,]+/g, "");
  if (rest === "-" || rest === "") return squares;
  while (rest !== "") {
    const found = /^([a-z]{1,2})([1-9]\d?)/.exec(rest);
    if (!found) return null;
    const [whole, letters, digits] = found as unknown as [string, string, string];
    const col = [...letters].reduce((n, c) => n * 26 + c.charCodeAt(0) - 96, 0) - 1;
    const row = Number(digits);
    if (col >= g.m || row > g.n) return null;
    const square = (g.n - row) * g.m + col;
    if (squares.includes(square)) return null;
    squares.push(square);
    rest = rest.slice(whole.length);
  }
  return squares;
}

/** The squares of names; what is no square is left out. */
export const squaresOf = (g: Game, names: readonly string[]): Square[] =>
  names.flatMap((name) => parseMove(g, name) ?? []);

/** The stones of a row through this square that is long enough to win. */
export function rowThrough(g: Game, cells: Cells, square: Square): Square[] | null {
  const stone = cells[square];
  if (!stone) return null;
  const [col, row] = [square % g.m, Math.floor(square / g.m)];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]] as const) {
    const run = (step: number) => {
      const found: Square[] = [];
      for (let i = 1; ; i++) {
        const [x, y] = [col + dx * i * step, row + dy * i * step];
        if (x < 0 || y < 0 || x >= g.m || y >= g.n || cells[y * g.m + x] !== stone) return found;
        found.push(y * g.m + x);
      }
    };
    const line = [...run(-1).reverse(), square, ...run(1)];
    if (line.length >= g.k) return line;
  }
  return null;
}
