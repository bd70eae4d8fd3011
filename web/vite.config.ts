import { defineConfig } from "vite";

// One page, two builds: the one that the server carries inside its binary asks the server, the one
// of `--mode site` asks a WebAssembly module in a worker.
export default defineConfig(({ mode }) => ({
  base: "./",
  define: { __SITE__: JSON.stringify(mode === "site") },
  build: {
    outDir: mode === "site" ? "../site" : "../crates/server/page",
    emptyOutDir: true,
    target: "es2022",
    // The files are committed and compared: nothing in them may depend on where they were built.
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" as const },
  server: { proxy: { "/api": "http://127.0.0.1:6006" } },
}));
