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
  await expect(page.getByRole("heading", { name: /: 1 of \d+ solved$/ })).toBeVisible();
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.2" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Puzzle 1.1, solved" })).toBeVisible();
});

test("there is a puzzle of the day, days in a row are counted, and first tries are rated", async ({ page }) => {
  // A Monday, whose puzzle is an easy one.
  await page.clock.setFixedTime(new Date("2026-11-16T12:00:00"));
  await page.reload();
  await page.getByRole("button", { name: "Today's puzzle" }).click();
  const heading = page.getByRole("heading", { name: /^Puzzle 1\.\d+$/ });
  await expect(heading).toBeVisible();
  const name = await heading.textContent();
  // The judge is another test's matter.
  await page.route("**/api/v1/puzzles/judge", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: `event: done\ndata: ${JSON.stringify({ verdict: "solved", reply: null, line: [], message: "Solved." })}\n\n` }));
  const solve = async () => {
    await touch(page, "a1", "s19");
    await page.getByRole("button", { name: "Play a1s19" }).click();
    await expect(page.locator(".state.solved")).toBeVisible();
  };
  await solve();
  await expect(page.getByText("1 day", { exact: true })).toBeVisible();
  const today = page.getByRole("region", { name: "Today" });
  await expect(today).toContainText(/Your rating: 1\d\d\d, from 1 puzzle/);
  await page.clock.setFixedTime(new Date("2026-11-17T12:00:00"));
  await page.reload();
  await page.getByRole("button", { name: "Today's puzzle" }).click();
  await expect(heading).not.toHaveText(name ?? "");
  await solve();
  await expect(page.getByText("2 days in a row")).toBeVisible();
  // A day is left out.
  await page.clock.setFixedTime(new Date("2026-11-19T12:00:00"));
  await page.reload();
  await expect(page.getByRole("button", { name: "Today's puzzle" })).toBeVisible();
  await expect(page.getByText(/in a row$/)).toHaveCount(0);
  await expect(today).toContainText("Longest streak: 2 days");
});

test("puzzles are listed by theme", async ({ page }) => {
  const all = page.getByRole("region", { name: "All puzzles" });
  await expect(all.getByRole("button", { name: "Puzzle 5.1", exact: true })).toBeVisible();
  await page.getByLabel("Theme").selectOption("single-threat");
  await expect(page.getByText(/with single threats too/)).toBeVisible();
  await expect(all.getByRole("button", { name: "Puzzle 1.1", exact: true })).toHaveCount(0);
  await page.getByLabel("Theme").selectOption("");
  await expect(all.getByRole("button", { name: "Puzzle 1.1", exact: true })).toBeVisible();
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
