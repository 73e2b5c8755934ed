import { StartError } from "../errors/start-error.ts";

/** Runs the body of a `main.ts`. A process that cannot start prints why in one message and ends with code 1. */
export async function runMain(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
