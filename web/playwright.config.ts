import { defineConfig } from "@playwright/test";

// The program under test, as `make` built it, and the browser as Debian has it.
const binary = process.env.LAMBDA6 ?? "../target/release/lambda6";
const port = Number(process.env.LAMBDA6_PORT ?? 7416);
// Inside the checkout: it stays until the next run.
const data = `../target/e2e-${port}`;
const site = process.env.LAMBDA6_SITE !== undefined;

export default defineConfig({
  testDir: "e2e",
  testMatch: site ? "site.spec.ts" : /(?<!site)\.spec\.ts/,
  outputDir: "test-results",
  // Searches share the machine with everything else: patience, not sleep.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A busy machine may let a key or a frame slip; a test that needed a second try is
  // listed as flaky.
  retries: 1,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    // A button that never comes is a fault of its own, told by its name.
    actionTimeout: 60_000,
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    permissions: ["clipboard-read", "clipboard-write"],
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  webServer: {
    command: site ? `node serve-site.mjs ${port}` : `rm -rf ${data} && ${binary} serve --listen 127.0.0.1:${port} --data ${data}`,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 120_000,
  },
});
