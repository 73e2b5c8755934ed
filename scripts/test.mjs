import { install } from "./install.mjs";
import { run } from "./run.mjs";

const started = performance.now();
try {
  await install();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.exitCode = await run("scripts/test/main.ts", [`--installed=${seconds}`, ...process.argv.slice(2)]);
} catch (error) {
  console.error(error.message);
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
}
