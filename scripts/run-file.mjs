// `node scripts/run-file.mjs FILE ARGUMENTS…`: installs what is missing, then runs the file on Node 24.
import { install } from "./install.mjs";
import { run } from "./run.mjs";

const [file, ...args] = process.argv.slice(2);
try {
  if (file === undefined) throw new Error("Name the file to run");
  await install();
  process.exitCode = await run(file, args);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
