/** Job-level search with workers on other machines: NATS and a worker are started for the test. */
import { join } from "node:path";
import { board, expect, paste, stones, tab, test, touch } from "./desk";
import { Programs } from "./programs";

const programs = new Programs();
let url = "";
let nats = "";
let data = "";

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  nats = await programs.nats();
  data = await programs.folder();
  url = await programs.serve("--listen", "127.0.0.1:0", "--data", data, "--nats", nats);
  await programs.start("worker", "--nats", nats, "--name", "far-away");
});
test.afterAll(() => programs.end());

const workers = (page: import("@playwright/test").Page) => page.getByRole("region", { name: "Workers" });

test("a search whose jobs are done over NATS is started, watched, steered and stopped", async ({ page }) => {
  await page.goto(url);
  await paste(page, "j10 i8h9");
  await tab(page, "Search").click();
  await page.getByLabel("Name").fill("far");
  await page.getByLabel("Moves tried a job").fill("300");
  await page.getByLabel("Jobs are done by").selectOption("grid");
  await page.getByRole("button", { name: "Start the search" }).click();
  // The worker is there, by its owner and name and with a speed, and the tree grows.
  await expect(workers(page).getByRole("row", { name: /^worker\/far-away/ })).toBeVisible();
  await expect(page.getByText(/[1-9]\d* jobs done/)).toBeVisible();
  await expect(page.getByLabel("Moves from here").getByRole("button").first()).toBeVisible();
  await touch(page, "k11", "l10");
  await page.getByRole("button", { name: "Suggest k11l10" }).click();
  const suggested = page.getByRole("button", { name: /^(k11l10|l10k11) / });
  await suggested.click();
  await expect(stones(page, "black")).toHaveCount(3);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^Stopped: \d+ nodes/)).toBeVisible();
});

test("one that another process works on has the same view", async ({ page }) => {
  await programs.start("search", "start", join(data, "far.l6"), "--nats", nats, "--quiet");
  await expect.poll(async () => (await (await page.request.get(`${url}api/v1/jobs`)).json()).searches[0].state).toBe("elsewhere");
  await page.goto(url);
  await tab(page, "Search").click();
  await page.getByRole("button", { name: "far", exact: true }).click();
  await expect(page.getByText(/^Running in another process: \d+ nodes/)).toBeVisible();
  // Who has done its jobs, and how quickly.
  await expect(workers(page).getByRole("row", { name: /^worker\/far-away \d+ [\d,]+ [\d,]+$/ })).toBeVisible();
  await page.getByRole("button", { name: /^(k11l10|l10k11) / }).click();
  await page.getByRole("button", { name: "Forbid this move" }).click();
  await expect(page.getByText(/forbidden/)).toBeVisible();
  await expect(board(page)).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^Stopped: \d+ nodes/)).toBeVisible();
});
