import { install } from "./install.mjs";
import { run } from "./run.mjs";

try {
  await install();
  process.exitCode = await run("all-in-one.ts", process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
