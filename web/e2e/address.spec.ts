/** The address says what is shown: Back, Forward and links that are passed on. */
import { SINGLE, WIN, board, expect, paste, stones, tab, test, touch } from "./desk";

const WON = WIN.replaceAll(" ", ".");

test("part of the page and position are in the address, which a new tab shows", async ({ page, context }) => {
  await page.goto("./");
  await paste(page, "j10 i8h9 k11l10");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await tab(page, "Analyse").click();
  await expect(page).toHaveURL(/#tab=analyse&moves=j10\.i8h9\.k11l10&at=2$/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("tab", { name: "Analyse" })).toHaveAttribute("aria-selected", "true");
  await expect(stones(other, "white")).toHaveCount(2);
  await expect(stones(other, "black")).toHaveCount(1);
  await other.getByRole("button", { name: "Forward", exact: true }).click();
  await expect(stones(other, "black")).toHaveCount(3);
  // The address stays over a reload.
  await other.reload();
  await expect(stones(other, "black")).toHaveCount(3);
  await expect(other).toHaveURL(/#tab=analyse&moves=j10\.i8h9\.k11l10$/);
});

test("Back and Forward go through parts of the page and documents, with their variations", async ({ page }) => {
  await page.goto("./");
  await paste(page, "j10 i8h9 k11l10");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await touch(page, "k9", "k10");
  await page.getByLabel(/Comment/).fill("another way");
  await page.getByLabel(/Comment/).blur();
  await expect(page).toHaveURL(/moves=j10\.i8h9\.k9k10$/);
  await tab(page, "Puzzles").click();
  await expect(page).toHaveURL(/#tab=puzzles&puzzle=1\.1$/);
  await tab(page, "Record").click();
  await expect(page).toHaveURL(/#tab=record/);
  await paste(page, "a1 b1c1");
  await expect(page).toHaveURL(/#tab=record&moves=a1\.b1c1$/);
  await page.goBack();
  await expect(stones(page, "black")).toHaveCount(3);
  await expect(page.getByLabel(/Comment/)).toHaveValue("another way");
  await expect(page.getByText("Variation 2 of 2")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(stones(page, "black")).toHaveCount(1);
  await expect(stones(page, "white")).toHaveCount(2);
});

test("a proof and the defences that were tried are in the address", async ({ page, context }) => {
  await page.goto("./");
  await paste(page, SINGLE);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await touch(page, "a1", "s1");
  await page.getByRole("button", { name: "Play a1s1" }).click();
  await expect(page).toHaveURL(/&proof=[0-9a-f]{32}&tried=a1s1$/);
  // Somebody else, with a browser that has kept nothing.
  const other = await context.browser()?.newContext();
  const stranger = await other?.newPage();
  await stranger?.goto(page.url());
  if (!stranger) throw new Error("no browser");
  await expect(stranger.getByText("White has won.")).toBeVisible();
  await other?.close();
  await page.getByRole("button", { name: "Close the proof" }).click();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
});

test("a puzzle has an address", async ({ page }) => {
  await page.goto("./#tab=puzzles&puzzle=g1.2");
  await expect(page.getByRole("heading", { name: "Puzzle g1.2" })).toBeVisible();
  await expect(page.getByRole("application", { name: /15 by 15/ })).toBeVisible();
});

test("steps within a line leave no entries", async ({ page }) => {
  await page.goto("./");
  await tab(page, "Analyse").click();
  await expect(page).toHaveURL(/#tab=analyse/);
  await page.goto(`./#tab=analyse&moves=${WON}`);
  await expect(board(page).locator(".stones .stone")).toHaveCount(15);
  await page.getByRole("heading", { name: "Position" }).click();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(/&at=6$/);
  await page.goBack();
  await expect(page).toHaveURL(/#tab=analyse$/);
});

test.describe("a proof that nobody has any more", () => {
  // The browser itself reports the answer 404 on its console.
  test.use({ quiet: false });

  test("is refused in words", async ({ page }) => {
    await page.goto(`./#tab=prove&moves=${WON}&proof=${"0".repeat(32)}`);
    await expect(page.getByRole("alert")).toContainText(/not here any more|no such proof/);
    await expect(page.getByRole("heading", { name: "Prove a win" })).toBeVisible();
    await expect(board(page).locator(".stones .stone")).toHaveCount(15);
  });
});

test("a message fades and moves nothing", async ({ page }) => {
  await page.goto("./");
  await paste(page, "j10");
  const before = await board(page).boundingBox();
  await page.getByLabel("Type a move").fill("j10j11");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  expect(await board(page).boundingBox()).toEqual(before);
  // It rests while the pointer is on it, and is gone some time later.
  await expect(page.getByRole("alert")).toBeHidden();
  await page.getByRole("button", { name: /Copy a link/ }).click();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByRole("alert")).toBeHidden();
});
