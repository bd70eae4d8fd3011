/** The page without a server: the engine runs in the browser. */
import { readFile } from "node:fs/promises";
import { SINGLE, WIN, board, expect, paste, stones, tab, test, touch } from "./desk";

test.beforeEach(async ({ page }) => {
  // Nothing but its own files is asked for.
  page.on("request", (request) => expect(request.url()).not.toContain("/api/"));
  await page.goto("./");
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
});

test("plays", async ({ page }) => {
  await page.getByRole("button", { name: "New game" }).click();
  await touch(page, "j10");
  await page.getByRole("button", { name: "Play j10" }).click();
  await expect(stones(page, "white")).toHaveCount(2);
  await page.getByRole("button", { name: "Resign" }).click();
  await expect(page.getByText("White wins by resignation.").first()).toBeVisible();
});

test("shows threats, finds forced wins, thinks aloud and stops", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Analyse").click();
  await expect(page.getByText("Black wins by force (VCDT)")).toBeVisible();
  await page.getByRole("button", { name: "Think", exact: true }).click();
  await expect(page.getByRole("region", { name: "Best moves" }).locator("tbody tr").first()).toBeVisible();
  await page.getByRole("button", { name: "Stop thinking" }).click();
  await expect(page.getByRole("region", { name: "Best moves" }).locator("tbody tr")).toHaveCount(0);
});

test("opens, edits and saves records", async ({ page }) => {
  await paste(page, "(;FF[4];B[j10];W[i8h9]C[kept])");
  await touch(page, "k11", "l10");
  await expect(stones(page, "black")).toHaveCount(3);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save", exact: true }).click()]);
  expect((await readFile(await file.path(), "utf8")).replaceAll("\n", "")).toContain(";B[j10];W[i8h9]C[kept];B[k11l10]");
});

test("gives hints, and evaluates a game", async ({ page }) => {
  await paste(page, "j10 i8h9");
  await tab(page, "Play").click();
  await page.getByRole("button", { name: "Play on from here" }).click();
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(board(page).locator(".label.hint")).toHaveCount(2);
  await tab(page, "Analyse").click();
  await page.getByRole("button", { name: "Evaluate the game" }).click();
  await expect(page.getByText(/After move 2: Black \d+ %/)).toBeVisible();
});

test("proves, browses the proof, and checks a certificate", async ({ page }) => {
  await paste(page, SINGLE);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
  await page.getByRole("radio", { name: /^Z1/ }).check();
  await expect(board(page).locator(".paint .zone-1")).not.toHaveCount(0);
  await touch(page, "a1", "s1");
  await page.getByRole("button", { name: "Play a1s1" }).click();
  await expect(page.getByText("White has won.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Proof: White wins" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download the certificate" }).click()]);
  const text = await readFile(await file.path(), "utf8");
  await page.getByRole("button", { name: "Close the proof" }).click();
  // What was downloaded is checked and browsed; what was damaged is refused.
  const pick = (content: string) => page.getByLabel("Open a certificate").setInputFiles({ name: "win.proof", mimeType: "text/plain", buffer: Buffer.from(content) });
  await pick(text.replace(/\n[a-s][^\n]*\n$/, "\n"));
  await expect(page.getByRole("alert")).toBeVisible();
  await pick(text);
  await expect(page.getByText(/Checked: \d+ replies/)).toBeVisible();
});

test("a search can be stopped, and the page goes on", async ({ page }) => {
  await paste(page, "j10 i8h9 k11l10");
  await tab(page, "Prove").click();
  await page.getByLabel("Who should win").selectOption("black");
  await page.getByLabel("With").selectOption("lambda3");
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("Defences left");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^Stopped after/)).toBeVisible();
  // It is gone on with where it was.
  const before = Number(((await page.getByText(/^Stopped after/).textContent()) ?? "").replace(/\D/g, ""));
  await page.getByRole("button", { name: "Go on" }).click();
  const tried = page.getByRole("region", { name: "Progress" }).locator("dt:text-is('Moves tried') + dd");
  await expect.poll(async () => Number(((await tried.textContent()) ?? "0").split(", depth")[0]?.replace(/\D/g, ""))).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Stop" }).click();
  await tab(page, "Analyse").click();
  await expect(page.getByText("None found by continuous threats within a short search.")).toBeVisible();
});

test("judges puzzles and shows the atlas", async ({ page }) => {
  await tab(page, "Puzzles").click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
  await touch(page, "a1", "s19");
  await page.getByRole("button", { name: "Play a1s19" }).click();
  await expect(page.locator(".state.wrong")).toBeVisible();
  await tab(page, "Atlas").click();
  await page.getByLabel("Name").fill("tx-h9");
  await expect(page.getByRole("row", { name: /TX-H9.*claimed/ })).toBeVisible();
});

test("says what needs a server", async ({ page }) => {
  await tab(page, "Prove").click();
  await expect(page.getByText(/The engine runs in this browser/)).toBeVisible();
  await tab(page, "Search").click();
  await expect(page.getByText(/needs the server/)).toBeVisible();
});

test("reviews a game, with proofs that are browsed", async ({ page }) => {
  await tab(page, "Review").click();
  await page.getByLabel(/paste one game or many/).fill(`${WIN} a1s19 a19s1`);
  await page.getByLabel("How thorough").selectOption("quick");
  await page.getByRole("button", { name: "Open and review" }).click();
  await expect(page.getByRole("region", { name: "Keep and share" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as SGF" }).click()]);
  expect(await readFile(await file.path(), "utf8")).toContain("Review: ");
  await page.getByRole("button", { name: "Proof of the missed win" }).first().click();
  await expect(page.getByRole("heading", { name: /^Proof: (Black|White) wins/ })).toBeVisible();
});

test("lists the defences that are left", async ({ page }) => {
  await paste(page, `${WIN} i8k6`);
  await tab(page, "Prove").click();
  await page.getByRole("button", { name: "Which defences are left?" }).click();
  await expect(page.getByRole("region", { name: "Verified" })).toContainText("Proved: every defence loses. Black wins.");
});
