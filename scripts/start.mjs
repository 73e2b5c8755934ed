// `npm start`: installs and builds what is missing, then runs the server with the client at its address.
import { install } from "./install.mjs";
import { run } from "./run.mjs";

try {
  await install();
  process.exitCode = await run("desktop/tools/build/main.ts", ["renderer"]);
  if (process.exitCode === 0) process.exitCode = await run("all-in-one.ts", process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
