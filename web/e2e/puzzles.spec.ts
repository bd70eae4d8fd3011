import { board, expect, picture, tab, test, touch, waiting } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  await tab(page, "Puzzles").click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
});

test("a wrong move is refuted on the board, and can be taken again", async ({ page }) => {
  const before = await board(page).locator(".stones .stone").count();
  await touch(page, "a1", "s19");
  await expect(waiting(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Play a1s19" }).click();
  await expect(page.locator(".state.wrong")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(board(page).locator(".stones .stone")).toHaveCount(before);
  // Threats that can be met: White's stones are put on the board.
  await touch(page, "m10", "n11");
  await page.getByRole("button", { name: "Play m10n11" }).click();
  await expect(page.locator(".state.wrong")).toHaveText(/no forced win is left/);
  await expect(page.getByText(/Refuted by [a-s]\d+[a-s]\d+/)).toBeVisible();
  await expect(board(page).locator(".stones .stone")).toHaveCount(before + 4);
  await picture(page, "puzzle");
});

test("a puzzle is solved move by move, and remembered", async ({ page }) => {
  // The line of the solution tells the moves; the answers come from the judge.
  await page.getByRole("button", { name: "Show a solution" }).click();
  const line = page.getByLabel("Solution").getByRole("button");
  await expect(line.first()).toBeVisible();
  const first = await line.first().textContent();
  await page.getByRole("button", { name: "From the start" }).click();
  const squares = (first ?? "").match(/[a-s]\d+/g) ?? [];
  await touch(page, ...squares);
  await page.getByRole("button", { name: /^Play [a-s]/ }).click();
  await expect(page.locator(".state.right")).toBeVisible();
  await expect(async () => {
    // Each time the solver is asked for the next move, from the position on the board.
    const moves = await page.evaluate(() => document.querySelectorAll(".board .stones .stone").length);
    expect(moves).toBeGreaterThan(0);
    const state = await page.locator(".state").getAttribute("class");
    if (state?.includes("solved")) return;
    const next = await page.evaluate(async () => {
      const read = (side: string) =>
        [...document.querySelectorAll(`.board .stones .stone.${side}`)].map(
          (c) => `${"abcdefghijklmnopqrs"[Number(c.getAttribute("cx"))]}${19 - Number(c.getAttribute("cy"))}`,
        );
      const [black, white] = [read("black"), read("white")];
      const answer = await fetch("api/v1/solve", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ position: { start: { black, white, to_move: "black" } } }),
      });
      const done = (await answer.text()).split("event: done\ndata: ")[1] ?? "";
      return JSON.parse(done.split("\n")[0] ?? "{}").line[0] as string;
    });
    await touch(page, ...(next.match(/[a-s]\d+/g) ?? []));
    await page.getByRole("button", { name: /^Play [a-s]/ }).click();
    await expect(page.locator(".state.right, .state.solved")).toBeVisible();
    expect(await page.locator(".state").getAttribute("class")).toContain("solved");
  }).toPass({ timeout: 240_000 });
  await expect(page.getByRole("heading", { name: "1 of 60 solved" })).toBeVisible();
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.2" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Puzzle 1.1, solved" })).toBeVisible();
});

test("puzzles of go-moku have one stone a move, and are judged by fours and threes", async ({ page }) => {
  await page.getByLabel("Game").selectOption("go-moku");
  await expect(page.getByRole("heading", { name: "Puzzle g1.1" })).toBeVisible();
  await expect(page.getByText(/wins in \d+ moves by fours/)).toBeVisible();
  await page.getByRole("button", { name: "Show a solution" }).click();
  const first = (await page.getByLabel("Solution").getByRole("button").first().textContent()) ?? "";
  expect(first).toMatch(/^[a-t]\d+$/);
  await page.getByRole("button", { name: "From the start" }).click();
  await touch(page, first);
  await page.getByRole("button", { name: `Play ${first}` }).click();
  await expect(page.locator(".state.right, .state.solved")).toBeVisible();
  await page.getByRole("button", { name: "From the start" }).click();
  await touch(page, "a1");
  await page.getByRole("button", { name: "Play a1" }).click();
  await expect(page.locator(".state.wrong")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Puzzle g1.1" })).toBeVisible();
});
