/** Go-moku: one stone a move, and threats by the names that players give them. */
import { board, expect, paste, stones, tab, test, touch } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
});

for (const [game, side, stars] of [["go-moku", 15, 5], ["go-moku 20x20", 20, 0], ["connect6", 19, 9]] as const) {
  test(`${game} has a board of ${side}, and is played`, async ({ page }) => {
    await page.getByLabel("Game").selectOption(game);
    await page.getByRole("button", { name: "New game" }).click();
    await expect(page.getByRole("application", { name: `Board, ${side} by ${side}.` })).toBeVisible();
    await expect(board(page).locator(".star")).toHaveCount(stars);
    await expect(page.getByText("Black to move, 1 stone", { exact: true })).toBeVisible();
    await touch(page, "h8");
    await page.getByRole("button", { name: "Play h8" }).click();
    await expect(stones(page, "white")).toHaveCount(game === "connect6" ? 2 : 1);
    await expect(page.getByText(`Black to move, ${game === "connect6" ? "2 stones" : "1 stone"}`, { exact: true })).toBeVisible();
  });
}

test("rows and classes have the names of go-moku", async ({ page }) => {
  await paste(page, "game: 15 15 5 1 1\nblack: g8 h8 i8 h10\nwhite: a1 b1 c1 o15\nto-move: black\n");
  await tab(page, "Analyse").click();
  await expect(page.getByText("open three g8h8i8")).toBeVisible();
  await expect(page.getByText("three a1b1c1", { exact: true })).toBeVisible();
  await expect(page.getByText(/Black wins by force \(VC[FT]/)).toBeVisible();
  await tab(page, "Prove").click();
  const names = await page.getByLabel("With").locator("option").allTextContents();
  expect(names.map((name) => name.split(":")[0])).toEqual(["VCF", "VCT", "LAMBDA3", "LAMBDA4", "LAMBDA5"]);
  await page.getByLabel("Who should win").selectOption("white");
  await page.getByLabel("With").selectOption("vcf");
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page.getByText("Not proved.")).toBeVisible();
  await expect(page.getByText(/^Try VCT: /)).toBeVisible();
});
