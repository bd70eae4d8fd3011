import { board, expect, paste, picture, stones, tab, test } from "./desk";

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("openings are found by name and by status", async ({ page }) => {
  await tab(page, "Atlas").click();
  await page.getByLabel("Name").fill("tx-h9");
  await expect(page.getByRole("row", { name: /^TX-H9 i8h9 claimed Black k11l10$/ })).toBeVisible();
  await page.getByRole("button", { name: "k11l10" }).click();
  await expect(stones(page, "black")).toHaveCount(3);
  await picture(page, "atlas");
  await page.getByLabel("Name").fill("");
  await page.getByLabel("Status").selectOption("claimed");
  await expect(page.getByText("7 openings")).toBeVisible();
  await page.getByLabel("Status").selectOption("proved");
  await expect(page.getByText("0 openings")).toBeVisible();
});

test("what a search has solved is in it, and leads to the search", async ({ page }) => {
  // A search that solves an opening takes longer than a test: the server's own tests enter one.
  await page.route("**/api/v1/atlas", async (route) => {
    const atlas = await (await route.fetch()).json();
    Object.assign(atlas.openings.find((o: { name: string }) => o.name === "TX-H9"), { status: "solved", search: "tx-h9" });
    await route.fulfill({ json: atlas });
  });
  await tab(page, "Atlas").click();
  await page.getByLabel("Status").selectOption("solved");
  await expect(page.getByText("1 openings")).toBeVisible();
  await page.getByRole("button", { name: "Show the search" }).click();
  await expect(page.getByRole("heading", { name: "Search with many jobs" })).toBeVisible();
});

test("an opening is found by the position on the board, whichever way it is turned", async ({ page }) => {
  // The opening TX-H9, mirrored.
  await paste(page, "j10 k8l9");
  await tab(page, "Atlas").click();
  await expect(page.getByText("On the board: TX-H9")).toBeVisible();
  await expect(page.locator("tr.here")).toContainText("TX-H9");
  await expect(board(page)).toBeVisible();
});
