import { build } from "vitepress";

const [root = "", outDir = ""] = process.argv.slice(2);
await build(root, { outDir });
