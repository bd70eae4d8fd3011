/** Job-level search: one at a time is worked on, so these tests come one after the other. */
import { WIN, board, expect, paste, picture, stones, tab, test, touch } from "./desk";

test.describe.configure({ mode: "serial" });

test.beforeEach(async ({ page }) => {
  await page.goto("./");
});

test("a search is started, watched, solved, and its proof browsed", async ({ page }) => {
  await paste(page, WIN);
  await tab(page, "Search").click();
  await page.getByLabel("Name").fill("quick");
  await page.getByRole("button", { name: "Start the search" }).click();
  await expect(page.getByText("Solved: Black wins.")).toBeVisible();
  await page.getByRole("button", { name: "Browse the proof" }).click();
  await expect(page.getByRole("heading", { name: "Proof: Black wins" })).toBeVisible();
});

test("a search is steered, stopped, there after a reload, and gone on with", async ({ page }) => {
  await paste(page, "j10 i8h9");
  await tab(page, "Search").click();
  await page.getByLabel("Name").fill("opening");
  await page.getByLabel("Moves tried a job").fill("300");
  await page.getByLabel("Workers").fill("1");
  await page.getByRole("button", { name: "Start the search" }).click();
  await expect(page.getByRole("region", { name: "Workers" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByText(/1 worker, [1-9][\d,]* moves a second/)).toBeVisible();
  await expect(page.getByText(/[1-9]\d* jobs done, 1 under way/)).toBeVisible();
  // The tree grows while it is watched.
  const moves = page.getByLabel("Moves from here").getByRole("button");
  await expect(moves.first()).toBeVisible();
  // A move is suggested on the board.
  await touch(page, "k11", "l10");
  await page.getByRole("button", { name: "Suggest k11l10" }).click();
  const suggested = page.getByRole("button", { name: /^(k11l10|l10k11) / });
  await expect(suggested).toBeVisible();
  await suggested.click();
  await expect(stones(page, "black")).toHaveCount(3);
  await page.getByRole("button", { name: "Forbid this move" }).click();
  await expect(page.getByText(/forbidden/)).toBeVisible();
  await page.getByRole("button", { name: "Allow this move" }).click();
  await expect(page.getByRole("button", { name: "Forbid this move" })).toBeVisible();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await picture(page, "search");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^Stopped: \d+ nodes/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Stopped: \d+ nodes/)).toBeVisible();
  await expect(board(page)).toBeVisible();
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText(/^Running: \d+ nodes/)).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText(/^Stopped: \d+ nodes/)).toBeVisible();
  // A search that nobody works on can be steered, too. The node that was chosen is still the one that is shown.
  await expect(page.getByRole("heading", { name: /^Node \d+: (k11l10|l10k11)/ })).toBeVisible();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await page.getByRole("button", { name: "All searches" }).click();
  await expect(page.getByRole("row", { name: /^opening Black \d+ stopped$/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^quick Black \d+ Black wins$/ })).toBeVisible();
});

test("the tree is moved, zoomed, enlarged, and its nodes are chosen in it", async ({ page }) => {
  await tab(page, "Search").click();
  await page.getByRole("button", { name: "opening" }).click();
  const tree = page.getByRole("img", { name: /Tree of \d+ nodes/ });
  await expect(tree).toHaveAttribute("data-scale", "1.00");
  const scale = async () => Number(await tree.getAttribute("data-scale"));
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(tree).toHaveAttribute("data-scale", "1.50");
  await tree.hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 300);
  await page.keyboard.up("Control");
  await expect.poll(scale).toBeLessThan(1);
  await page.getByRole("button", { name: "Show all" }).click();
  const nodes = await tree.getAttribute("data-nodes");
  await expect.poll(() => tree.getAttribute("data-drawn")).toBe(nodes);
  // Dragged out of sight.
  const box = (await tree.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const drag = async (dx: number, dy: number) => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy, { steps: 3 });
    await page.mouse.up();
  };
  for (let i = 0; i < 20 && (await tree.getAttribute("data-drawn")) === nodes; i++) await drag(-box.width / 3, 0);
  expect(Number(await tree.getAttribute("data-drawn"))).toBeLessThan(Number(nodes));
  await page.getByRole("button", { name: "Enlarge" }).click();
  await expect.poll(async () => (await tree.boundingBox())?.width ?? 0).toBeGreaterThan(1000);
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await tree.boundingBox())?.width ?? 0).toBeLessThan(500);
  // A touch on a node shows it: the first move from the root stands beside it.
  const first = await page.getByLabel("Moves from here").getByRole("button").first().textContent();
  await page.reload();
  await expect(tree).toHaveAttribute("data-scale", "1.00");
  await expect(tree).toHaveAttribute("data-drawn", /[1-9]/);
  const again = (await tree.boundingBox()) ?? box;
  await page.mouse.click(again.x + 20 + 120, again.y + 20);
  await expect(page.getByRole("heading", { name: /^Node [1-9]/ })).toContainText((first ?? "").split(" ")[0] ?? "?");
  await expect(stones(page, "black")).toHaveCount(3);
});
