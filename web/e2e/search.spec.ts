/** Job-level search: one at a time is worked on, so these tests come one after the other. */
import { WIN, board, expect, paste, picture, stones, tab, test, touch } from "./desk";

test.describe.configure({ mode: "serial" });

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("a search is started, watched, solved, and its proof browsed", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Search").click();
  await page.getByLabel("Name").fill("quick");
  await page.getByRole("button", { name: "Start the search" }).click();
  await expect(page.getByText("Solved: Black wins.")).toBeVisible();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
});

test("a search is steered, stopped, there after a reload, and gone on with", async ({ page }) => {
  await paste(page, "j10 i8h9");
  await tab(page, "Search").click();
  await page.getByLabel("Name").fill("opening");
  await page.getByLabel("Moves tried a job").fill("300");
  await page.getByLabel("Workers").fill("1");
  await page.getByRole("button", { name: "Start the search" }).click();
  await expect(page.getByRole("region", { name: "Workers" }).getByRole("row")).toHaveCount(2);
  // The tree grows while it is watched.
  const moves = page.getByLabel("Moves from here").getByRole("button");
  await expect(moves.first()).toBeVisible();
  // A move is suggested on the board.
  await touch(page, "k11", "l10");
  await page.getByRole("button", { name: "Suggest k11l10" }).click();
  const suggested = page.getByRole("button", { name: /^(k11l10|l10k11) / });
  await expect(suggested).toBeVisible();
  await suggested.click();
  await expect(stones(page, "black")).toHaveCount(3);
  await page.getByRole("button", { name: "Forbid this move" }).click();
  await expect(page.getByText(/forbidden/)).toBeVisible();
  await page.getByRole("button", { name: "Allow this move" }).click();
  await expect(page.getByRole("button", { name: "Forbid this move" })).toBeVisible();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await picture(page, "search");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^stopped: \d+ nodes/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^stopped: \d+ nodes/)).toBeVisible();
  await expect(board(page)).toBeVisible();
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText(/^running: \d+ nodes/)).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^stopped: \d+ nodes/)).toBeVisible();
  await page.getByRole("button", { name: "All searches" }).click();
  await expect(page.getByRole("button", { name: "opening" })).toBeVisible();
});
