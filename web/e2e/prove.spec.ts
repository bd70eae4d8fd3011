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
  await expect(page.getByText("White has won.")).toBeVisible();
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

test("quiet moves are tried on demand: proof numbers, defences left and the line move until it is stopped", async ({ page }) => {
  // White to move: Black wins, but not within the time of a test.
  await paste(page, "j10 i8h9 k11l10");
  await tab(page, "Prove").click();
  await page.getByLabel("Who should win").selectOption("black");
  await page.getByLabel("With").selectOption("lambda3");
  await page.getByLabel("Seconds").fill("300");
  await page.getByLabel("Seconds").blur();
  await page.getByRole("button", { name: "Prove it" }).click();
  const progress = page.getByRole("region", { name: "Progress" });
  const said = (name: string) => progress.locator("dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd[1]");
  for (const name of ["Proof number", "Disproof number", "Defences left"]) await expect(said(name)).toHaveText(/^[\d,]+$/);
  await expect(said("Current line")).toHaveText(/[a-s]\d+/);
  await expect(board(page).locator(".label.line").first()).toBeVisible();
  // They move.
  const before = await progress.textContent();
  const line = await said("Current line").textContent();
  await expect.poll(() => progress.textContent()).not.toBe(before);
  await expect.poll(() => said("Current line").textContent()).not.toBe(line);
  // The page does not wait for it.
  await tab(page, "Atlas").click();
  await expect(page.getByText(/\d+ openings/)).toBeVisible();
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^Stopped after [\d,]+ moves tried/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Prove it" })).toBeVisible();
});

test("time goes with the class, and a search goes on where it stopped", async ({ page }) => {
  await paste(page, "j10 i8h9 k11l10");
  await tab(page, "Prove").click();
  await expect(page.getByLabel("Seconds")).toHaveValue("30");
  await page.getByLabel("Who should win").selectOption("black");
  await page.getByLabel("With").selectOption("lambda3");
  await expect(page.getByLabel("Seconds")).toHaveValue("300");
  await page.getByLabel("Moves tried").fill("2000");
  await page.getByLabel("Moves tried").blur();
  await page.getByRole("button", { name: "Prove it" }).click();
  const result = page.getByRole("region", { name: "Result" });
  const tried = async () => Number(((await result.textContent()) ?? "").match(/([\d,]+) moves tried/)?.[1]?.replaceAll(",", ""));
  await expect(result).toContainText("Not proved.");
  const first = await tried();
  await result.getByRole("button", { name: "Go on" }).click();
  await expect.poll(tried).toBeGreaterThan(first);
  // Stopped by hand, it goes on as well.
  await page.getByLabel("Moves tried").fill("");
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("Moves tried");
  await page.getByRole("button", { name: "Stop" }).click();
  const stopped = Number(((await page.getByText(/^Stopped after/).textContent()) ?? "").replace(/\D/g, ""));
  await page.getByRole("button", { name: "Go on" }).click();
  const now = page.getByRole("region", { name: "Progress" }).locator("dt:text-is('Moves tried') + dd");
  await expect.poll(async () => Number(((await now.textContent()) ?? "").split(", depth")[0]?.replaceAll(",", ""))).toBeGreaterThan(stopped);
  await page.getByRole("button", { name: "Stop" }).click();
  // Larger searches are handed over with their question.
  await page.getByRole("button", { name: /Hand it over/ }).click();
  await expect(page.getByLabel("Name")).toHaveValue("after-k11l10-3");
  await expect(page.getByLabel("Who should win")).toHaveValue("black");
});

test("the defences that are left are listed and painted", async ({ page }) => {
  await paste(page, `${WIN} i8k6`);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Which defences are left?" }).click();
  const verified = page.getByRole("region", { name: "Verified" });
  await expect(verified).toContainText("Proved: every defence loses. Black wins.");
  await verified.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
  await page.getByRole("button", { name: "Close the proof" }).click();
  // One threat only: the defender has a stone to spare, and defences are left.
  await paste(page, "a1 j10k10 b1c1 l10s19 d1s1");
  await tab(page, "Prove").click();
  await page.getByLabel("Seconds").fill("5");
  await page.getByRole("button", { name: "Which defences are left?" }).click();
  await expect(verified).toContainText(/defences? (is|are) not refuted|Not all moves were tried|No win was found/);
});

test("defences are painted by how long they resist", async ({ page }) => {
  await paste(page, SINGLE);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  const list = page.getByRole("region", { name: "Defences" }).getByRole("listitem");
  await expect(list).toHaveCount(12);
  const moves = (await list.allTextContents()).map((text) => Number(/(\d) moves?,/.exec(text)?.[1]));
  expect(moves).toEqual([...moves].sort((a, b) => b - a));
  await expect(board(page).locator(".paint [class^=resists-]")).not.toHaveCount(0);
  const all = await board(page).locator(".label.resistance").count();
  // A stone is placed: the squares of those defences that have it are left.
  const first = /^([a-s]\d+)/.exec((await list.first().textContent()) ?? "")?.[1] ?? "";
  await touch(page, first);
  await expect.poll(() => board(page).locator(".label.resistance").count()).toBeLessThan(all);
  await page.getByRole("button", { name: /Show all \d+/ }).click();
  expect(await list.count()).toBeGreaterThan(12);
});

test("every class that the solver knows is offered", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Prove").click();
  const names = await page.getByLabel("With").locator("option").allTextContents();
  expect(names.map((name) => name.split(":")[0])).toEqual(["VCDT", "VCST", "LAMBDA3", "LAMBDA4", "LAMBDA5"]);
  for (const kind of ["vcdt", "vcst", "lambda3", "lambda4", "lambda5"]) {
    await page.getByLabel("With").selectOption(kind);
    await page.getByRole("button", { name: "Prove it" }).click();
    await expect(page.getByRole("region", { name: "Result" })).toContainText(`Proved: Black wins (${kind.toUpperCase()},`);
  }
});

test("proofs of puzzles can be reached from the analysis", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Analyse").click();
  await page.getByRole("button", { name: "Browse the proof" }).first().click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
});
