/** Reviews: a game, its mistakes with their proofs, what is kept of it, and files of many games. */
import { readFile } from "node:fs/promises";
import { board, expect, paste, picture, stones, tab, test } from "./desk";

/** White overlooks a forced win and loses to one: eight moves of puzzle 1.1, then two wasted ones. */
const GAME = "j10 l10k9 i7k7 i9j9 h9j7 l7m9 l9k8 i6h7 a1s19 a19s1 i8k6 f11l5";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("a pasted game is reviewed at one press: mistakes by size, missed wins with proofs, the last chance", async ({ page }) => {
  await tab(page, "Review").click();
  await page.getByLabel(/paste one game or many/).fill(GAME);
  await page.getByRole("button", { name: "Open and review" }).click();
  const mistakes = page.getByRole("region", { name: "Mistakes" });
  await expect(page.getByRole("region", { name: "Keep and share" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Black's chance of winning after each move" })).toBeVisible();
  // Black had a proved win at move 9 and played elsewhere.
  const missed = mistakes.getByRole("listitem").filter({ hasText: "9. a1s19" });
  await expect(missed).toContainText("missed a forced win");
  const losses = await mistakes.locator(".number").allTextContents();
  const sizes = losses.map((text) => Number(text.replace(/\D/g, "")));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  await missed.getByRole("button", { name: /^9\./ }).click();
  await expect(page.getByRole("heading", { name: /^After move 9:/ })).toBeVisible();
  await missed.getByRole("button", { name: /^Better:/ }).click();
  await expect(page.getByRole("heading", { name: /^After move 8: black wins in 3 \(proved\)/ })).toBeVisible();
  await expect(board(page).locator(".label.line")).toHaveCount(2);
  await picture(page, "review");
  await missed.getByRole("button", { name: "Proof of the missed win" }).click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
  await page.goBack();
  await expect(mistakes).toBeVisible();
  // It is there after a reload.
  await page.reload();
  await expect(mistakes.getByText("9. a1s19")).toBeVisible();
});

test("a review is saved as SGF and as a page, and put into the record", async ({ page }) => {
  await paste(page, GAME);
  await tab(page, "Review").click();
  await page.getByLabel("How thorough").selectOption("quick");
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect(page.getByRole("region", { name: "Keep and share" })).toBeVisible();
  const save = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return readFile(await file.path(), "utf8");
  };
  const sgf = await save("Save as SGF");
  expect(sgf).toContain("Review: ");
  const html = await save("Save as a page");
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toContain("a1s19");
  await page.getByRole("button", { name: "Put it into the record" }).click();
  await expect(page.getByRole("heading", { name: "Open" })).toBeVisible();
  await paste(page, sgf);
  await page.keyboard.press("Escape");
  await expect(page.getByLabel(/Comment/)).toBeVisible();
});

test("a review can be stopped and gone on with", async ({ page }) => {
  await paste(page, GAME);
  await tab(page, "Review").click();
  await page.getByLabel("How thorough").selectOption("deep");
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect(page.getByRole("img", { name: /chance of winning/ })).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByLabel("How thorough").selectOption("quick");
  await page.getByRole("button", { name: "Go on with the review" }).click();
  await expect(page.getByRole("region", { name: "Keep and share" })).toBeVisible();
});

test.describe("files", () => {
  // The browser itself reports the answer 400 to a broken record on its console.
  test.use({ quiet: false });

  test("a file of many games has a summary of each player", async ({ page }) => {
    const game = (black: string, white: string, moves: string) =>
      `(;FF[4]PB[${black}]PW[${white}]RE[B];B[j10];${moves})`;
    const file = [
      game("ann", "bob", "W[i8h9];B[k11l10]"), game("bob", "ann", "W[k9l9];B[k11l10]"), game("ann [x\\]", "bob", "W[a1b1]"), "(;FF[4];B[j10];W[j10j11])",
    ].join("\n");
    await tab(page, "Review").click();
    await page.getByLabel("Open a game").setInputFiles({ name: "games.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(file) });
    await expect(page.getByRole("heading", { name: "4 games" })).toBeVisible();
    await expect(page.getByText(/j10 is occupied/)).toBeVisible();
    await page.getByLabel("How thorough").selectOption("quick");
    await page.getByRole("button", { name: "Review all" }).click();
    await expect(page.getByRole("button", { name: "Review all" })).toBeDisabled();
    const players = page.getByRole("table", { name: "Summary of the players" });
    await expect(players.getByRole("row", { name: /^bob \d of 3/ })).toBeVisible();
    await expect(players.getByRole("row", { name: /^ann 1 of 2|^ann \d of 2/ })).toBeVisible();
    await page.getByRole("region", { name: "Games", exact: true }).getByRole("button", { name: "2", exact: true }).click();
    await expect(stones(page, "black")).toHaveCount(3);
    await expect(page.getByRole("region", { name: "Keep and share" })).toBeVisible();
  });
});
