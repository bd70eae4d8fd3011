/** For everybody: keyboard, screen reader, phone, dark. */
import AxeBuilder from "@axe-core/playwright";
import { board, expect, paste, picture, stones, tab, test, touch, waiting } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  await expect(page.getByLabel("Level")).toBeVisible();
});

test("a game can be played with the keyboard alone", async ({ page }) => {
  await page.getByRole("button", { name: "New game" }).focus();
  await page.keyboard.press("Enter");
  await board(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.locator("[aria-live=polite]")).toHaveText("j10, empty");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(stones(page, "white")).toHaveCount(2);
  // The stones are seen a moment before the engine has ended its turn.
  await expect(page.getByText("Your move.")).toBeVisible();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  await page.keyboard.press("Space");
  await expect(waiting(page)).toHaveCount(1);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await expect(waiting(page)).toHaveCount(2);
  await page.keyboard.press("Backspace");
  await expect(waiting(page)).toHaveCount(1);
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(stones(page, "white")).toHaveCount(4);
});

test("a move can be typed", async ({ page }) => {
  await tab(page, "Record").click();
  for (const move of ["j10", "i8 h9", "K11L10"]) {
    await page.getByLabel("Type a move").fill(move);
    await page.keyboard.press("Enter");
  }
  await expect(stones(page, "black")).toHaveCount(3);
  await page.getByLabel("Type a move").fill("j10j11");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("j10j11 is not a move here");
});

for (const scheme of ["light", "dark"] as const) {
  test(`no part of the page has a fault that a screen reader or weak eyes would meet, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await paste(page, "a1 j10k10 b1c1 l10s19 d1s1");
    for (const name of ["Play", "Record", "Review", "Analyse", "Prove", "Search", "Puzzles", "Atlas"]) {
      await tab(page, name).click();
      if (name === "Puzzles") await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
      if (name === "Atlas") await expect(page.getByRole("row").nth(3)).toBeVisible();
      if (name === "Analyse") await expect(page.getByText("1 (e1f1)")).toBeVisible();
      const axe = new AxeBuilder({ page });
      // In other colours only the colours differ.
      const found = await (scheme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
      expect(found.violations.map((v) => [v.id, v.nodes.map((n) => n.html)]), name).toEqual([]);
    }
    if (scheme === "dark") await picture(page, "dark");
  });
}

test("on a phone the board fills the width and nothing sticks out", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "New game" }).click();
  for (const name of ["Play", "Record", "Review", "Analyse", "Prove", "Search", "Puzzles", "Atlas"]) {
    await tab(page, name).click();
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    expect(wide, name).toBe(seen);
  }
  const box = await board(page).boundingBox();
  expect(box?.width ?? 0).toBeGreaterThan(360);
  await tab(page, "Play").click();
  await touch(page, "j10");
  await page.getByRole("button", { name: "Play j10" }).click();
  await expect(stones(page, "white")).toHaveCount(2);
  await picture(page, "phone");
});

test("colours can be chosen, and are kept", async ({ page }) => {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.getByRole("button", { name: /Colours/ }).click();
  await page.getByRole("button", { name: /Colours/ }).click();
  await expect.poll(back).not.toBe(light);
  await page.reload();
  await expect.poll(back).not.toBe(light);
});
