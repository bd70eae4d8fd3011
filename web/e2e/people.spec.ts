/** For everybody: keyboard, screen reader, phone, dark. */
import AxeBuilder from "@axe-core/playwright";
import { board, expect, paste, picture, place, stones, tab, tap, test, waiting } from "./desk";

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

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the board fills the width, nothing sticks out, and all can be touched", async ({ page }) => {
    for (const name of ["Play", "Record", "Review", "Analyse", "Prove", "Search", "Puzzles", "Atlas"]) {
      await tab(page, name).tap();
      const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wide, name).toBe(seen);
      // Every part has a name and a place of 44 pixels at the bottom.
      const box = await tab(page, name).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
    }
    const box = await board(page).boundingBox();
    expect(box?.width ?? 0).toBeGreaterThan(360);
    await tab(page, "Play").tap();
    await tap(page, "j10");
    await expect(stones(page, "white")).toHaveCount(2);
    await tap(page, "a1");
    await tap(page, "c1");
    // The bar of the move is one row.
    const bar = await page.locator(".under-board").boundingBox();
    expect(bar?.height ?? 0).toBeLessThan(60);
    for (const button of await page.locator(".under-board button").all()) {
      const size = await button.boundingBox();
      expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await picture(page, "phone");
    await page.getByRole("button", { name: "Play a1c1" }).tap();
    await expect(stones(page, "white")).toHaveCount(4);
  });

  test("a finger that is held sees a magnifier, and places the stone where it lets go", async ({ page }) => {
    await tab(page, "Puzzles").tap();
    await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
    const [from, to] = [await place(page, "c3"), await place(page, "d5")];
    const devtools = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
      devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    const scrolled = await page.evaluate(() => scrollY);
    await send("touchStart", [from]);
    await expect(board(page).locator(".loupe")).toHaveCount(1);
    await send("touchMove", [{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }]);
    await send("touchMove", [to]);
    await expect(board(page).locator(".loupe .target")).toHaveCount(1);
    await send("touchEnd", []);
    await expect(board(page).locator(".loupe")).toHaveCount(0);
    await expect(board(page).locator(".pending [data-square=d5]")).toHaveCount(1);
    await expect(waiting(page)).toHaveCount(1);
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  });

  test("a term explains itself within the screen", async ({ page }) => {
    await tab(page, "Prove").tap();
    await page.getByRole("button", { name: "Which class?" }).tap();
    const box = await page.getByRole("note").filter({ hasText: "Which moves the winner may use" }).boundingBox();
    expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  });
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
