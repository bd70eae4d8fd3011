/** What strangers can do: nothing. The servers here are started for the test. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, paste, stones, tab, test } from "./desk";
import { Programs } from "./programs";

const programs = new Programs();
test.afterAll(() => programs.end());
// The browser reports refused requests on its console.
test.use({ quiet: false });

test("a server that others can reach wants a token, which the page keeps to itself", async ({ page, context }) => {
  const data = await programs.folder();
  const url = new URL(await programs.serve("--listen", "0.0.0.0:0", "--data", data));
  expect(url.hash).toMatch(/^#token=[0-9a-f]{40}$/);
  await page.goto(url.origin);
  await expect(page.getByRole("alert")).toContainText("token");
  await expect(page.getByLabel("Level").locator("option")).toHaveCount(0);
  await page.goto(url.href);
  await expect(page.getByLabel("Level").locator("option")).not.toHaveCount(0);
  // Neither the address nor a link that is passed on has it.
  expect(page.url()).not.toContain("token");
  await paste(page, "j10 i8h9");
  await page.getByRole("button", { name: /Copy a link/ }).click();
  await expect(page.getByText("The link is in the clipboard.").or(page.getByText(/moves=/))).toBeVisible();
  expect(await page.getByRole("alert").textContent()).not.toContain("token");
  await page.reload();
  await expect(stones(page, "white")).toHaveCount(2);
  await tab(page, "Puzzles").click();
  await expect(page.getByRole("heading", { name: "Puzzle 1.1" })).toBeVisible();
  // Another tab has to be given it.
  const other = await context.newPage();
  await other.goto(url.origin);
  await expect(other.getByRole("alert")).toContainText("token");
});

test("another site can neither ask, nor order, nor show the page in a frame", async ({ page }) => {
  const data = await programs.folder();
  const target = (await programs.serve("--listen", "127.0.0.1:0", "--data", data)).replace(/\/$/, "");
  const evil = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>evil</title><iframe name=sink></iframe>");
  });
  await new Promise<void>((ready) => evil.listen(0, "127.0.0.1", ready));
  try {
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    const answers = new Map<string, number>();
    page.on("response", (response) => answers.set(`${response.request().method()} ${response.url()}`, response.status()));
    const order = JSON.stringify({ name: "evil", position: { moves: ["j10", "i8h9"] } });
    const tried = await page.evaluate(async ([server, body]) => {
      const attempt = async (path: string, init: RequestInit) => {
        try {
          const response = await fetch(`${server}/api/v1/${path}`, init);
          return response.type === "opaque" ? "opaque" : await response.text();
        } catch {
          return "blocked";
        }
      };
      const form = document.createElement("form");
      Object.assign(form, { method: "post", enctype: "text/plain", action: `${server}/api/v1/jobs`, target: "sink" });
      const field = document.createElement("input");
      // The well-known trick: a form whose body happens to be JSON.
      field.name = (body ?? "").replace(/}$/, ',"x":"');
      field.value = '"}';
      form.append(field);
      document.body.append(form);
      form.submit();
      const frame = document.createElement("iframe");
      frame.src = `${server}/`;
      document.body.append(frame);
      return Promise.all([
        attempt("jobs", { method: "POST", mode: "no-cors", body: body ?? "" }),
        attempt("jobs", { method: "POST", mode: "cors", headers: { "Content-Type": "application/json" }, body: body ?? "" }),
        attempt("jobs", { mode: "cors", credentials: "include" }),
        attempt("about", { mode: "no-cors" }),
      ]);
    }, [target, order] as const);
    expect(tried.filter((answer) => answer !== "opaque" && answer !== "blocked")).toEqual([]);
    await expect.poll(() => [...answers].filter(([what]) => what.includes("/api/")).length).toBeGreaterThan(0);
    for (const [what, status] of answers) if (what.includes("/api/")) expect([400, 403, 405], what).toContain(status);
    // Nothing was begun.
    const list = await page.request.get(`${target}/api/v1/jobs`);
    expect((await list.json()).searches).toEqual([]);
    // The page itself is not shown inside another.
    await expect(page.frameLocator("iframe:not([name])").getByRole("tab")).toHaveCount(0);
  } finally {
    evil.close();
  }
});
