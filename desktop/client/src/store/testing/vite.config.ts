import { defineConfig } from "vite";

/** The store and a few records as one script, for browser tests. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target: "chrome130",
    lib: { entry: "page.ts", formats: ["iife"], name: "hearthPage", fileName: () => "store.js" },
  },
});
