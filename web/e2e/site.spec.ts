/** The page without a server: the engine runs in the browser. */
import { SINGLE, WIN, board, expect, paste, stones, tab, test, touch } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
});

test("plays", async ({ page }) => {
  await page.getByRole("button", { name: "New game" }).click();
  await touch(page, "j10");
  await page.getByRole("button", { name: "Play j10" }).click();
  await expect(stones(page, "white")).toHaveCount(2);
  await page.getByRole("button", { name: "Resign" }).click();
  await expect(page.getByText("White wins by resignation.").first()).toBeVisible();
});

test("shows threats, finds forced wins, thinks aloud and stops", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Analyse").click();
  await expect(page.getByText("Black wins by force (VCDT)")).toBeVisible();
  await page.getByRole("button", { name: "Think", exact: true }).click();
  await expect(page.getByRole("region", { name: "Best moves" }).locator("tbody tr").first()).toBeVisible();
  await page.getByRole("button", { name: "Stop thinking" }).click();
  await expect(page.getByRole("region", { name: "Best moves" }).locator("tbody tr")).toHaveCount(0);
});

test("proves, browses the proof, and checks a certificate", async ({ page }) => {
  await paste(page, SINGLE);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
  await page.getByRole("radio", { name: /^Z1/ }).check();
  await expect(board(page).locator(".paint .zone-1")).not.toHaveCount(0);
  await touch(page, "a1", "s1");
  await page.getByRole("button", { name: "Play a1s1" }).click();
  await expect(page.getByText("White has won.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
});

test("judges puzzles and shows the atlas", async ({ page }) => {
  await tab(page, "Puzzles").click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
  await touch(page, "a1", "s19");
  await page.getByRole("button", { name: "Play a1s19" }).click();
  await expect(page.locator(".state.wrong")).toBeVisible();
  await tab(page, "Atlas").click();
  await page.getByLabel("Name").fill("tx-h9");
  await expect(page.getByRole("row", { name: /TX-H9.*claimed/ })).toBeVisible();
});

test("says what needs a server", async ({ page }) => {
  await tab(page, "Prove").click();
  await expect(page.getByText(/The engine runs in this browser/)).toBeVisible();
  await tab(page, "Search").click();
  await expect(page.getByText(/needs the server/)).toBeVisible();
});
