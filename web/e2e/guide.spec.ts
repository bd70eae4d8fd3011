/** For new visitors: the first stone, the guide, the help, and terms that explain themselves. */
import { board, expect, stones, tab, test, touch } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
});

test("the first stone on the board begins a game", async ({ page }) => {
  await touch(page, "j10");
  await expect(stones(page, "white")).toHaveCount(2);
  await expect(page.getByText("Your move.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Welcome" })).toHaveCount(0);
  const moves = page.getByLabel("Moves of the game").getByRole("button");
  await expect(moves).toHaveCount(2);
  // The engine's judgement is there, and can be put away.
  await expect(page.getByText(/^You: (\d+ %|wins|loses)/)).toBeVisible();
  await page.getByLabel("Evaluation").uncheck();
  await expect(page.getByText(/^You: /)).toBeHidden();
  await moves.first().click();
  await expect(stones(page, "white")).toHaveCount(0);
  await page.getByRole("button", { name: "Back to the game" }).click();
  await expect(stones(page, "white")).toHaveCount(2);
});

test("another game has its board as soon as it is chosen, and its first stone begins it", async ({ page }) => {
  await page.getByLabel("Game").selectOption("go-moku");
  await expect(page.getByRole("application", { name: "Board, 15 by 15." })).toBeVisible();
  await touch(page, "h8");
  await expect(stones(page, "white")).toHaveCount(1);
});

test("a visitor is led to a game, a puzzle and a proof, and the guide stays away once it is put away", async ({ page }) => {
  const guide = page.getByRole("region", { name: "Welcome" });
  await expect(guide.getByRole("img", { name: /Six black stones in a row/ })).toBeVisible();
  await guide.getByRole("button", { name: "A puzzle" }).click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
  await tab(page, "Play").click();
  await expect(guide.getByRole("button", { name: "Tried A puzzle" })).toBeVisible();
  await guide.getByRole("button", { name: "A proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
  await tab(page, "Play").click();
  await guide.getByRole("button", { name: "Put the guide away" }).click();
  await expect(guide).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "New game" })).toBeVisible();
  await expect(guide).toHaveCount(0);
  // It comes back from the help.
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("button", { name: /Show the guide/ }).click();
  await expect(guide).toBeVisible();
});

test("the help has all terms, and closes by key", async ({ page }) => {
  await page.getByRole("button", { name: "Help" }).click();
  const help = page.getByRole("dialog", { name: "Help" });
  for (const term of ["VCDT", "VCST", "Lambda 3, 4, 5", "Relevance zone", "Status", "Method", "Proof number"]) {
    await expect(help.getByText(term, { exact: true })).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.getByRole("button", { name: "Help" }).click();
  await expect(help).toBeVisible();
});

test("a term explains itself by pointer and by keyboard", async ({ page }) => {
  await tab(page, "Prove").click();
  const term = page.getByRole("button", { name: "VCST", exact: true });
  await term.click();
  await expect(page.getByText(/Victory by continuous single threats/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText(/Victory by continuous single threats/)).toBeHidden();
  await term.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Victory by continuous single threats/)).toBeVisible();
});

test("a hint says that a position is proved lost, and has the proof", async ({ page }) => {
  // White has no defence to the double threats.
  await page.goto("./#tab=play&moves=j10.l10k9.i7k7.i9j9.h9j7.l7m9.l9k8.i6h7.i8k6");
  await page.getByLabel("You play").selectOption("white");
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByText("This position is proved lost")).toBeVisible();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
  await expect(board(page)).toBeVisible();
});
