// How fast the page is: first paint, and frames while trees of 10,000 nodes are moved and zoomed: that of a record, and that
// of a job-level search with news every second. Needs a running `lambda6 serve`: node measure.mjs http://127.0.0.1:6006/
import { chromium } from "@playwright/test";

const url = process.argv[2] ?? "http://127.0.0.1:6006/";
const NODES = 10_000;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
page.setDefaultTimeout(120_000);
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");
const paints = [];
for (let i = 0; i < 5; i++) {
  await page.goto(url);
  await page.getByRole("application").waitFor();
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN));
}
console.log(`first contentful paint, ms: ${paints.map(Math.round).join(" ")}`);

/** Frames while something is done before each; with nothing to do the machine gives so many, and the tree should cost none. */
async function frames(tree, name, doing) {
  const spent = async () => (await devtools.send("Performance.getMetrics")).metrics.find((m) => m.name === "ThreadTime").value;
  const before = await spent();
  const times = await tree.evaluate(async (canvas, doing) => {
    const times = [];
    let last = performance.now();
    for (let i = 0; i < 240; i++) {
      const wheel = (init) => canvas.dispatchEvent(new WheelEvent("wheel", { cancelable: true, ...init }));
      if (doing === "moved") wheel({ deltaX: i % 2 ? 40 : -40, deltaY: 60 });
      if (doing === "zoomed") wheel({ deltaY: i % 60 < 30 ? 20 : -20, ctrlKey: true });
      await new Promise((next) => requestAnimationFrame(next));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times.slice(10).sort((a, b) => a - b);
  }, doing);
  const cpu = (((await spent()) - before) / 240) * 1000;
  const at = (part) => times[Math.floor(times.length * part)].toFixed(1);
  console.log(`${name}, ${doing}: frame median ${at(0.5)} ms, nine of ten within ${at(0.9)} ms, ${cpu.toFixed(1)} ms of processor time`);
}

const squares = [..."abcdefghijklmnopqrs"].flatMap((c) => Array.from({ length: 19 }, (_, r) => `${c}${r + 1}`)).filter((s) => s !== "j10");
const pairs = squares.flatMap((a, i) => squares.slice(i + 1).map((b) => a + b));
await page.getByRole("tab", { name: "Record" }).click();
await page.getByLabel(/paste a record/).fill(`(;FF[4];B[j10]${pairs.slice(0, NODES).map((p) => `(;W[${p}])`).join("")})`);
await page.getByRole("button", { name: "Open the text" }).click();
const record = page.getByRole("img", { name: /Tree of 10001/ });
await record.waitFor();
for (const doing of ["left alone", "moved", "zoomed"]) await frames(record, "record", doing);

// A search as the server tells of it: nobody waits for one to grow so large.
const node = (id, round) => ({
  id, parent: id === 0 ? null : Math.floor((id - 1) / 4), move: id === 0 ? null : pairs[id], to_move: id % 2 ? "white" : "black",
  status: "unstable2", proof: ((id * 7 + round) % 90) + 1, disproof: ((id * 13 + round) % 90) + 1,
  value: id % 11 === 5 ? "black" : null, complete: false, running: id % 997 === round % 997, mark: null,
});
const tell = (round) => {
  const changed = round === 0 ? Array.from({ length: NODES }, (_, id) => node(id, 0))
    : [...Array.from({ length: 300 }, (_, i) => node((i * 31 + round * 17) % NODES, round)), ...Array.from({ length: 5 }, (_, i) => node(NODES + (round - 1) * 5 + i, round))];
  const workers = Array.from({ length: 16 }, (_, i) => ({ name: `worker-${i}`, job: `job ${round}`, done: null, nodes: 1000 * round, speed: 50_000, trouble: null }));
  return { state: "running", total: NODES + 5 * round, nodes: changed, line: [0, 1, 5, 21], done: round, running: 16, workers, trouble: null };
};
const search = {
  name: "large", game: "19 19 6 2 1", start: { black: ["j10"], white: ["i8", "h9"], to_move: "black" }, attacker: "black",
  policy: "mf-ve", state: "running", nodes: NODES, value: null, trouble: null,
};
let round = 0;
await page.route("**/api/v1/jobs", (route) => route.fulfill({ json: { searches: [search], threads: 2, grid: null } }));
await page.route("**/api/v1/jobs/large/events", (route) =>
  route.fulfill({ contentType: "text/event-stream", body: `event: tree\ndata: ${JSON.stringify(tell(round++))}\n\n` }));
await page.getByRole("tab", { name: "Search" }).click();
await page.getByRole("button", { name: "large" }).click();
const tree = page.getByRole("img", { name: /Tree of 10\d+ nodes/ });
await tree.waitFor();
for (const doing of ["left alone", "moved", "zoomed"]) await frames(tree, "search with news", doing);
await page.getByRole("button", { name: "Show all" }).click();
await frames(tree, "search with news, all of it in sight", "zoomed");
console.log(`news: ${round}`);
await browser.close();
