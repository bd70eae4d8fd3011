import { readFile } from "node:fs/promises";
import { board, expect, paste, picture, stones, tab, test, touch, waiting } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  await tab(page, "Record").click();
});

const FORMATS = {
  "a list of moves": "1.j10 2.i8h9 3.k11l10",
  "Little Golem's SGF": "(;FF[4]EV[e]PB[a]PW[b];B[j10];W[i8h9];B[k11l10])",
  "SGF with a node a stone": "(;GM[511];B[JJ];W[IL];W[HK];B[KI];B[LJ])",
  "SGF with letter pairs": "(;GM[511]SZ[19];B[jj];W[ilhk];B[kilj])",
  "a contest record": "{[C6][a B][b W][先手胜][2017.07.29 14:00 x][y];B(J,10);W(I,8);W(H,9);B(K,11);B(L,10)}",
};

for (const [name, text] of Object.entries(FORMATS)) {
  test(`opens ${name}`, async ({ page }) => {
    await paste(page, text);
    await expect(stones(page, "black")).toHaveCount(3);
    await expect(stones(page, "white")).toHaveCount(2);
  });
}

test("a setup opens with its stones and its side to move", async ({ page }) => {
  await paste(page, "game: 9 9 6 2 1\nblack: b5 c5 d5 e5\nwhite: d7 e7 f7 i1\nto-move: white\n");
  await expect(stones(page, "black")).toHaveCount(4);
  await touch(page, "a5", "g5");
  await expect(stones(page, "white")).toHaveCount(6);
});

test("variations, comments and marks are added, walked, undone, and saved as SGF", async ({ page }) => {
  await paste(page, "j10 i8h9 k11l10");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  // In the record a move is played when its last stone is placed.
  await touch(page, "k10");
  await expect(waiting(page)).toHaveCount(1);
  await touch(page, "k9");
  await expect(stones(page, "black")).toHaveCount(3);
  await expect(page.getByText("Variation 2 of 2")).toBeVisible();
  await page.getByLabel(/Comment/).fill("too slow ] \\");
  await page.getByLabel(/Comment/).blur();
  await page.getByLabel("Triangle").check();
  await touch(page, "k11");
  await expect(page.getByText("Marks: TR k11")).toBeVisible();
  await page.getByLabel("Letter", { exact: true }).check();
  await touch(page, "a1");
  await expect(page.getByText("LB a1 A")).toBeVisible();
  await picture(page, "record");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("LB a1 A")).toBeHidden();
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByText("LB a1 A")).toBeVisible();
  // The keyboard walks the tree.
  await page.getByRole("heading", { name: "Open" }).click();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByText("Variation 1 of 2")).toBeVisible();
  await page.keyboard.press("Home");
  await expect(board(page).locator(".stones .stone")).toHaveCount(0);
  await page.keyboard.press("End");
  await expect(page.getByText(/^Move 3: k11 l10/)).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save", exact: true }).click()]);
  const sgf = await readFile(await file.path(), "utf8");
  expect(sgf.replaceAll("\n", "")).toContain("(;B[k11l10])(;B[k10k9]C[too slow \\] \\\\]TR[k11]LB[a1:A])");
  // What was saved opens as it was.
  await paste(page, sgf);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.getByRole("button", { name: "k10k9" }).click();
  await expect(page.getByLabel(/Comment/)).toHaveValue("too slow ] \\");
});

test("a file is opened by choosing it, or by dropping it on any part of the page", async ({ page }) => {
  const file = { name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from("(;FF[4];B[j10];W[i8h9])") };
  await page.getByLabel("Open a file").setInputFiles(file);
  await expect(stones(page, "white")).toHaveCount(2);
  await tab(page, "Atlas").click();
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["j10 i8h9 k11l10"], "game.txt"));
    return transfer;
  });
  await page.locator(".app").dispatchEvent("drop", { dataTransfer: data });
  await expect(stones(page, "black")).toHaveCount(3);
  await expect(page.getByLabel(/Comment/)).toBeVisible();
});

test("what is typed is one step to undo", async ({ page }) => {
  await paste(page, "j10 i8h9");
  await page.getByLabel(/Comment/).pressSequentially("a few words");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel(/Comment/)).toHaveValue("");
  await expect(stones(page, "white")).toHaveCount(2);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByLabel(/Comment/)).toHaveValue("a few words");
});

test("two tabs with two games do not disturb each other", async ({ page, context }) => {
  await paste(page, "j10 i8h9");
  const other = await context.newPage();
  await other.goto("./");
  await paste(other, "j10 i8h9 k11l10");
  await expect(stones(other, "black")).toHaveCount(3);
  await other.waitForFunction(() => localStorage.getItem("lambda6.doc")?.includes("k11l10"));
  await page.reload();
  await expect(stones(page, "white")).toHaveCount(2);
  await expect(stones(page, "black")).toHaveCount(1);
});

test("nothing is lost on reload, and a document that was replaced comes back", async ({ page }) => {
  await paste(page, "j10 i8h9 k11l10");
  // Typed, and the field not left; and a stone placed, and its move not played.
  await page.getByLabel(/Comment/).fill("kept");
  await touch(page, "a1");
  await page.reload();
  await expect(stones(page, "black")).toHaveCount(3);
  await expect(page.getByLabel(/Comment/)).toHaveValue("kept");
  await expect(waiting(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Take back stone" }).click();
  await page.getByRole("button", { name: "Empty board" }).click();
  await expect(board(page).locator(".stones .stone")).toHaveCount(0);
  await page.reload();
  await page.getByLabel("Earlier").selectOption({ index: 1 });
  await expect(stones(page, "black")).toHaveCount(3);
});

test("a link restores a position, of any game", async ({ page, context }) => {
  await paste(page, "j10 i8h9 k11l10");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.getByRole("button", { name: /Copy a link/ }).click();
  await expect(page.getByText("The link is in the clipboard.")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain("#moves=j10.i8h9");
  const other = await context.newPage();
  await other.goto(link);
  await expect(stones(other, "white")).toHaveCount(2);
  await expect(stones(other, "black")).toHaveCount(1);
  await other.goto("./#game=7.7.4.2.1&moves=d4.a1b1");
  await expect(stones(other, "white")).toHaveCount(2);
  await expect(other.getByRole("application", { name: /7 by 7/ })).toBeVisible();
});

test("a broken link and a broken record are refused with the place, and change nothing", async ({ page }) => {
  await paste(page, "j10 i8h9");
  await page.goto("./#moves=j10.j10j10");
  await expect(page.getByRole("alert")).toContainText("not a position");
  await expect(stones(page, "white")).toHaveCount(2);
});

test("a hostile record is text and nothing else", async ({ page }) => {
  const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  await paste(page, `(;FF[4]PB[${evil}]PW["onload=alert(1)];B[j10]C[${evil}]LB[a1:<b onclick=1>];W[i8h9])`);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await expect(page.getByLabel(/Comment/)).toHaveValue(evil);
  await tab(page, "Play").click();
  await tab(page, "Record").click();
  await page.getByText("About the game").click();
  await expect(page.getByLabel("Black", { exact: true })).toHaveValue(evil);
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
  expect(await page.locator("img, script:not([src])").count()).toBe(0);
});

test.describe("refusals", () => {
  // The browser itself reports the answer 400 on its console.
  test.use({ quiet: false });

  test("a record that breaks the rules is refused with line and column", async ({ page }) => {
    await paste(page, "j10 i8h9");
    await expect(stones(page, "white")).toHaveCount(2);
    await paste(page, "j10 i8h9 k11h9");
    await expect(page.getByRole("alert")).toContainText("line 1, column 10: move 3: h9 is occupied");
    await expect(stones(page, "white")).toHaveCount(2);
  });
});

test("a tree of ten thousand nodes is drawn only where it is seen", async ({ page }) => {
  const squares = [..."abcdefghijklmnopqrs"].flatMap((c) => Array.from({ length: 19 }, (_, r) => `${c}${r + 1}`));
  const pairs = squares.flatMap((a, i) => squares.slice(i + 1).map((b) => a + b)).filter((p) => !/j10(?!\d)/.test(p));
  const text = `(;FF[4];B[j10]${pairs.slice(0, 10_000).map((p) => `(;W[${p}])`).join("")})`;
  await paste(page, text);
  const tree = page.getByRole("img", { name: /Tree of 10001 moves/ });
  await expect(tree).toBeVisible();
  await expect(tree).toHaveAttribute("data-nodes", "10002");
  expect(Number(await tree.getAttribute("data-drawn"))).toBeLessThan(400);
  await tree.hover();
  await page.mouse.wheel(0, 5_000);
  await expect(tree).toHaveAttribute("data-drawn", /^\d{1,2}$/);
  await page.reload();
  await expect(tree).toHaveAttribute("data-nodes", "10002");
});
