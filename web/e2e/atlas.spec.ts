import { board, expect, paste, picture, stones, tab, test } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("openings are found by name and by status", async ({ page }) => {
  await tab(page, "Atlas").click();
  await page.getByLabel("Name").fill("tx-h9");
  await expect(page.getByRole("row", { name: /TX-H9.*claimed: Black wins.*k11l10/ })).toBeVisible();
  await page.getByRole("button", { name: "k11l10" }).click();
  await expect(stones(page, "black")).toHaveCount(3);
  await picture(page, "atlas");
  await page.getByLabel("Name").fill("");
  await page.getByLabel("Status").selectOption("claimed");
  await expect(page.getByText("7 openings")).toBeVisible();
  await page.getByLabel("Status").selectOption("proved");
  await expect(page.getByText("0 openings")).toBeVisible();
});

test("an opening is found by the position on the board, whichever way it is turned", async ({ page }) => {
  // The opening TX-H9, mirrored.
  await paste(page, "j10 k8l9");
  await tab(page, "Atlas").click();
  await expect(page.getByText("On the board: TX-H9")).toBeVisible();
  await expect(page.locator("tr.here")).toContainText("TX-H9");
  await expect(board(page)).toBeVisible();
});
