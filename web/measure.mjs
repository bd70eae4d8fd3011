// How fast the page is: first paint, and frames while a tree of 10,000 nodes is moved. Needs a
// running `lambda6 serve`: node measure.mjs http://127.0.0.1:6006/
import { chromium } from "@playwright/test";

const url = process.argv[2] ?? "http://127.0.0.1:6006/";
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const paints = [];
for (let i = 0; i < 5; i++) {
  await page.goto(url);
  await page.getByRole("application").waitFor();
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN));
}
console.log(`first contentful paint, ms: ${paints.map(Math.round).join(" ")}`);

const squares = [..."abcdefghijklmnopqrs"].flatMap((c) => Array.from({ length: 19 }, (_, r) => `${c}${r + 1}`)).filter((s) => s !== "j10");
const pairs = squares.flatMap((a, i) => squares.slice(i + 1).map((b) => a + b)).slice(0, 10_000);
await page.getByRole("tab", { name: "Record" }).click();
await page.getByLabel(/paste a record/).fill(`(;FF[4];B[j10]${pairs.map((p) => `(;W[${p}])`).join("")})`);
await page.getByRole("button", { name: "Open the text" }).click();
const tree = page.getByRole("img", { name: /Tree of 10001/ });
await tree.waitFor();
// With nothing to draw the machine gives so many frames; the tree should cost none of them.
for (const moving of [false, true]) {
  const frames = await tree.evaluate(async (canvas, moving) => {
    const times = [];
    let last = performance.now();
    for (let i = 0; i < 240; i++) {
      if (moving) canvas.dispatchEvent(new WheelEvent("wheel", { deltaX: i % 2 ? 40 : -40, deltaY: 60, cancelable: true }));
      await new Promise((next) => requestAnimationFrame(next));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times.slice(10).sort((a, b) => a - b);
  }, moving);
  const at = (part) => frames[Math.floor(frames.length * part)].toFixed(1);
  console.log(`frame of a ${moving ? "moving" : "resting"} tree of 10,000 nodes, ms: median ${at(0.5)}, nine of ten within ${at(0.9)}`);
}
await browser.close();
