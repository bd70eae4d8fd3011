import { readFile } from "node:fs/promises";
import { SINGLE, WIN, board, expect, paste, picture, stones, tab, test, touch } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("a win is proved, browsed, downloaded, dropped on the page and checked", async ({ page }) => {
  await paste(page, SINGLE);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page.getByRole("region", { name: "Result" }).getByText("Proved: White wins")).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the certificate" }).click(),
  ]);
  const text = await readFile(await file.path(), "utf8");
  expect(text).toMatch(/^connect-proof 1\n/);
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByText(/White's answer:/)).toBeVisible();
  // The zones are painted, each within the next.
  const counts = [];
  for (const zone of ["Z1", "Z2", "Z3"]) {
    await page.getByRole("radio", { name: new RegExp(`^${zone}`) }).check();
    await expect(board(page).locator(`.paint .zone-${zone[1]}`)).not.toHaveCount(0);
    counts.push(await board(page).locator(".paint rect").count());
  }
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  await picture(page, "prove");
  // A defence that the certificate knows, then one on the board, whatever it is.
  const before = await stones(page, "white").count();
  await page.getByRole("region", { name: "Defences" }).getByRole("button").first().click();
  await expect(stones(page, "white")).toHaveCount(before + 2);
  await page.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(stones(page, "white")).toHaveCount(before);
  await touch(page, "a1", "s1");
  await page.getByRole("button", { name: "Play a1s1" }).click();
  await expect(page.getByText("White has won.")).toBeVisible();
  // Nothing is lost on reload.
  await page.reload();
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
  await page.getByRole("button", { name: "Close the proof" }).click();
  // Dropped on another part of the page.
  await tab(page, "Play").click();
  await drop(page, text);
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
  await expect(page.getByText(/Checked: \d+ replies/)).toBeVisible();
});

async function drop(page: import("@playwright/test").Page, text: string): Promise<void> {
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], "win.proof"));
    return transfer;
  }, text);
  await page.locator(".app").dispatchEvent("drop", { dataTransfer: data });
}

test("a certificate with a wrong reply is rejected, with the reply", async ({ page }) => {
  await drop(page, `connect-proof 1
game: 3 3 3 1 1
black: a1 b1
white: a3 b2
to-move: black
attacker: black
method: rzop
replies: 1

c3
`);
  await expect(page.getByRole("alert")).toContainText("rejects it at reply 1");
});

test("limits are kept, and a search that gave up says so", async ({ page }) => {
  await paste(page, "j10 i8h9 k11l10");
  await tab(page, "Prove").click();
  await page.getByLabel("Moves tried").fill("1");
  await page.getByLabel("Moves tried").blur();
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page.getByText("Not proved.")).toBeVisible();
});

test("a long search is watched and stopped", async ({ page }) => {
  // Three stones against none and White to move: a win, with a proof of many thousand replies.
  await paste(page, "game: 19 19 6 2 1\nblack: j10 j12 i11\nwhite:\nto-move: white\n");
  await tab(page, "Prove").click();
  await page.getByLabel("Who should win").selectOption("black");
  await page.getByLabel("Seconds").fill("300");
  await page.getByLabel("Seconds").blur();
  await page.getByRole("button", { name: "Prove it" }).click();
  const stop = page.getByRole("button", { name: "Stop" });
  const progress = page.getByText(/^Depth \d+, [\d,]+ moves tried/);
  await expect(progress.or(page.getByRole("region", { name: "Result" })).first()).toBeVisible();
  // On a fast machine it may be done before it can be stopped.
  if (await stop.isVisible()) await stop.click({ timeout: 5_000 }).catch(() => undefined);
  await expect(page.getByRole("button", { name: "Prove it" })).toBeVisible();
});

test("proofs of puzzles can be reached from the analysis", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Analyse").click();
  await page.getByRole("button", { name: "Browse the proof" }).first().click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
});
