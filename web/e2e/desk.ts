/** What the tests do with the page. */
import { type Page, expect, test as base } from "@playwright/test";

/** A test in which the page may not complain, nor a script fail, unless the test says so. */
export const test = base.extend<{ quiet: boolean }>({
  quiet: [true, { option: true }],
  page: async ({ page, quiet }, use) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await use(page);
    if (quiet) expect(faults).toEqual([]);
  },
});
export { expect };

export const board = (page: Page) => page.getByRole("application");
export const tab = (page: Page, name: string) => page.getByRole("tab", { name });

/** Where a square is on the screen. */
export async function place(page: Page, name: string): Promise<{ x: number; y: number }> {
  return board(page).evaluate((element, square) => {
    const svg = element as SVGSVGElement;
    const found = /^([a-z]+)(\d+)$/.exec(square);
    if (!found) throw new Error(square);
    const rows = svg.querySelectorAll(".coordinates text");
    // The first row's name is the number of rows.
    const numbers = [...rows].map((t) => Number(t.textContent)).filter((n) => !Number.isNaN(n));
    const n = Math.max(...numbers);
    const col = [...(found[1] ?? "")].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 96, 0) - 1;
    const point = new DOMPoint(col, n - Number(found[2])).matrixTransform(svg.getScreenCTM() ?? undefined);
    return { x: point.x, y: point.y };
  }, name);
}

export async function touch(page: Page, ...squares: string[]): Promise<void> {
  for (const square of squares) {
    const { x, y } = await place(page, square);
    await page.mouse.click(x, y);
  }
}

/** Touches with a finger. */
export async function tap(page: Page, square: string): Promise<void> {
  const { x, y } = await place(page, square);
  await page.touchscreen.tap(x, y);
}

export async function hover(page: Page, square: string): Promise<void> {
  const { x, y } = await place(page, square);
  await page.mouse.move(x, y);
}

export const stones = (page: Page, side: "black" | "white") => board(page).locator(`.stones .stone.${side}`);
export const waiting = (page: Page) => board(page).locator(".pending .stone");

/** Opens a record by pasting it. */
export async function paste(page: Page, text: string): Promise<void> {
  await tab(page, "Record").click();
  await page.getByLabel(/paste a record/).fill(text);
  await page.getByRole("button", { name: "Open the text" }).click();
  // The text stays where it is when it cannot be read.
  await expect(page.getByLabel(/paste a record/).and(page.locator(":placeholder-shown")).or(page.getByRole("alert"))).toBeVisible();
}

/** A position with a win by double threats in three moves. */
export const WIN = "j10 l10k9 i7k7 i9j9 h9j7 l7m9 l9k8 i6h7";
/** One that needs single threats, for White. */
export const SINGLE = "j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13";

/** A picture for the README, made by `make images`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `../docs/images/${name}.png`, animations: "disabled" });
}
