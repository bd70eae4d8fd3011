import { SINGLE, WIN, board, expect, paste, picture, stones, tab, test } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("threats of both sides, defences and threat cells are shown", async ({ page }) => {
  await paste(page, "a1 j10k10 b1c1 l10s19 d1s1");
  await tab(page, "Analyse").click();
  await expect(page.getByText("1 (e1f1)")).toBeVisible();
  await expect(page.getByText("White's defences")).toBeVisible();
  await expect(board(page).locator(".paint .defence")).toHaveCount(2);
  await page.getByLabel("Threat cells").check();
  await expect(board(page).locator(".paint .cell-2").first()).toBeVisible();
  await page.getByLabel("Threats and defences").uncheck();
  await expect(board(page).locator(".paint .defence")).toHaveCount(0);
});

test("forced wins are found at once, by double and by single threats, and can be played through", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Analyse").click();
  const wins = page.getByRole("region", { name: "Forced wins" });
  await expect(wins.getByText("Black wins by force (VCDT)")).toBeVisible();
  await wins.locator(".moves").first().hover({ position: { x: 2, y: 2 } });
  await expect(board(page).locator(".label.line").first()).toBeVisible();
  await wins.getByRole("button", { name: "Put the line on the board" }).first().click();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.getByText("Black has won.")).toBeVisible();
  await expect(board(page).locator(".winning")).not.toHaveCount(0);
  await paste(page, SINGLE);
  await tab(page, "Analyse").click();
  await expect(wins.getByText("White wins by force (VCST)")).toBeVisible();
});

test("the best moves are shown while the engine thinks, and nothing is played", async ({ page }) => {
  await paste(page, "j10 i8h9");
  await tab(page, "Analyse").click();
  await page.getByRole("button", { name: "Think", exact: true }).click();
  const best = page.getByRole("region", { name: "Best moves" });
  await expect(best.locator("tbody tr").first()).toBeVisible();
  await expect(best.getByText(/depth \d+/)).toBeVisible();
  await expect(board(page).locator(".label.rank-0").first()).toBeVisible();
  await picture(page, "analyse");
  await page.getByRole("button", { name: "Stop thinking" }).click();
  await expect(stones(page, "black")).toHaveCount(1);
  await expect(best.locator("tbody tr")).toHaveCount(0);
});

test("a graph shows who stands better over the game", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Analyse").click();
  await page.getByRole("button", { name: "Evaluate the game" }).click();
  const graph = page.getByRole("img", { name: /chance of winning/ });
  await expect(graph).toBeVisible();
  await expect(page.getByText(/After move 8: Black wins \(proved\)/)).toBeVisible();
  const box = await graph.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 2, (box?.y ?? 0) + 20);
  await expect(board(page).locator(".stones .stone")).toHaveCount(0);
});
