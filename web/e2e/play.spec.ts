import { board, expect, hover, picture, stones, tab, test, touch, waiting } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  // The levels come from the engine.
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
});

test("two stones are placed, previewed, taken back and sent", async ({ page }) => {
  await page.getByLabel("Level").selectOption("casual");
  await page.getByRole("button", { name: "New game" }).click();
  await touch(page, "j10");
  await expect(waiting(page)).toHaveCount(1);
  await expect(stones(page, "black")).toHaveCount(0);
  await page.getByRole("button", { name: "Play j10" }).click();
  await expect(stones(page, "black")).toHaveCount(1);
  await expect(stones(page, "white")).toHaveCount(2);
  await expect(page.getByText("Your move.")).toBeVisible();
  // The first stone is placed, the second previewed under the pointer.
  await touch(page, "a1");
  await expect(waiting(page)).toHaveCount(1);
  await hover(page, "b1");
  await expect(board(page).locator(".ghost.black")).toHaveCount(1);
  await touch(page, "b1");
  await expect(waiting(page)).toHaveCount(2);
  // Both can be taken back before they are sent, and a third touch moves the second.
  await touch(page, "c1");
  await expect(page.getByRole("button", { name: "Play a1c1" })).toBeVisible();
  await touch(page, "a1");
  await expect(waiting(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Take back stone" }).click();
  await expect(waiting(page)).toHaveCount(0);
  await touch(page, "a1", "b1");
  await picture(page, "play");
  await page.keyboard.press("Enter");
  await expect(stones(page, "black")).toHaveCount(3);
  await expect(stones(page, "white")).toHaveCount(4);
});

test("White can be played, moves taken back, a hint asked for, and the game resigned", async ({ page }) => {
  await page.getByLabel("You play").selectOption("white");
  await page.getByRole("button", { name: "New game" }).click();
  await expect(stones(page, "black")).toHaveCount(1);
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByRole("region", { name: "Game" }).getByText(/^Hint: [a-s]\d+[a-s]\d+$/)).toBeVisible();
  await expect(board(page).locator(".label.hint")).toHaveCount(2);
  await touch(page, "a1", "a2");
  await page.getByRole("button", { name: "Play a1a2" }).click();
  await expect(stones(page, "black")).toHaveCount(3);
  await page.getByRole("button", { name: "Take back move" }).click();
  await expect(stones(page, "black")).toHaveCount(1);
  await expect(stones(page, "white")).toHaveCount(0);
  await expect(page.getByText("Your move.")).toBeVisible();
  await page.getByRole("button", { name: "Resign" }).click();
  await expect(page.getByText("Black wins by resignation.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Resign" })).toBeDisabled();
});

test("every level answers, in any game of the family", async ({ page }) => {
  await page.getByLabel("Game").selectOption("other");
  await page.getByLabel(/Columns, rows/).fill("9 7 5 3 2");
  await page.getByLabel(/Columns, rows/).blur();
  const levels = await page.getByLabel("Level").locator("option").allTextContents();
  expect(levels.length).toBeGreaterThan(3);
  for (const level of levels) {
    await page.getByLabel("Level").selectOption(level);
    await page.getByRole("button", { name: "New game" }).click();
    await touch(page, "e4", "e5");
    await expect(waiting(page), level).toHaveCount(2);
    await page.getByRole("button", { name: "Play e4e5" }).click();
    await expect(stones(page, "white"), level).toHaveCount(3);
  }
});

test("numbers that are being typed stay when the engine is heard of late", async ({ page }) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/about", async (route) => {
    await asked;
    await route.continue();
  });
  await page.reload();
  await page.getByLabel("Game").selectOption("other");
  await page.getByLabel(/Columns, rows/).fill("9 7 5 3 2");
  answer();
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
  await page.getByLabel(/Columns, rows/).blur();
  await page.getByRole("button", { name: "New game" }).click();
  await touch(page, "e4", "e5");
  await expect(page.getByRole("button", { name: "Play e4e5" })).toBeVisible();
});

test("a game on a small board ends in a win or a draw, and says so", async ({ page }) => {
  await page.getByLabel("Game").selectOption("tic-tac-toe");
  await page.getByLabel("Level").selectOption("novice");
  await page.getByText("Play as soon as the last stone is placed").click();
  await page.getByRole("button", { name: "New game" }).click();
  const over = page.getByText(/^(Black wins\.|White wins\.|A draw: the board is full\.)$/).first();
  for (let i = 0; i < 5 && !(await over.isVisible()); i++) {
    await expect(page.getByText("Your move.")).toBeVisible();
    const taken = await board(page).locator(".stones .stone").evaluateAll((all) =>
      all.map((c) => `${"abc"[Number(c.getAttribute("cx"))]}${3 - Number(c.getAttribute("cy"))}`),
    );
    const free = ["b2", "a1", "c3", "a3", "c1", "a2", "b1", "b3", "c2"].find((s) => !taken.includes(s));
    await touch(page, free ?? "b2");
    await expect(page.getByText("Your move.").or(over).first()).toBeVisible();
  }
  await expect(over).toBeVisible();
});

test("clocks run, survive a reload, and a game can be lost on time", async ({ page }) => {
  await page.clock.install();
  await page.getByLabel("Time").selectOption("60s+0s");
  await page.getByRole("button", { name: "New game" }).click();
  const clock = page.getByLabel("Black's clock");
  await expect(clock).toHaveText("1:00");
  await page.clock.runFor(20_000);
  await expect(clock).toHaveText("0:40");
  await page.reload();
  await expect(page.getByLabel("Black's clock")).toHaveText(/0:[34]\d/);
  await page.clock.runFor(60_000);
  await expect(page.getByText("White wins on time.").first()).toBeVisible();
});

test("a game in progress is there after a reload, and the engine still answers", async ({ page }) => {
  await page.getByRole("button", { name: "New game" }).click();
  await touch(page, "j10");
  await page.getByRole("button", { name: "Play j10" }).click();
  await expect(stones(page, "white")).toHaveCount(2);
  await page.reload();
  await expect(stones(page, "white")).toHaveCount(2);
  await touch(page, "a1", "b1");
  await page.getByRole("button", { name: "Play a1b1" }).click();
  await expect(stones(page, "white")).toHaveCount(4);
  await tab(page, "Record").click();
  await expect(page.getByText(/Move 4/)).toBeVisible();
});
