import process from "node:process";
import type { Log } from "../log/log.ts";

interface Options {
  readonly log: Log;
  readonly hardLimitMs: number;
  readonly stop: () => Promise<boolean>;
}

/** Lets signals and uncaught errors end the process in order. Returns a function that removes the handlers. */
export function handleProcessEvents({ log, hardLimitMs, stop }: Options): () => void {
  let exitCode: number | undefined;

  const end = (code: number): void => {
    if (exitCode !== undefined) {
      exitCode = Math.max(exitCode, code);
      return;
    }
    exitCode = code;
    setTimeout(() => {
      log.fatal({ hardLimitMs }, "stopping took too long");
      process.exit(1);
    }, hardLimitMs);
    void stop().then(
      (clean) => process.exit(clean ? exitCode : 1),
      () => process.exit(1),
    );
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (exitCode !== undefined) process.exit(1);
    log.info({ signal }, "stopping");
    end(0);
  };
  const onError = (error: unknown): void => {
    log.fatal({ err: error }, "an error that nobody caught");
    end(1);
  };

  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  process.on("uncaughtException", onError).on("unhandledRejection", onError);
  return () => {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    process.off("uncaughtException", onError).off("unhandledRejection", onError);
  };
}
