import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Answer, Call } from "./preload.ts";

const program = path.resolve(import.meta.dirname, "../../../desktop/shell/src/testing/store-process.ts");
const ANSWER_MS = 10_000;

/** The app's side of the device's store, with its database in a folder. */
export interface StoreProcess extends AsyncDisposable {
  answer(call: Call): Promise<Answer>;
}

interface Reply {
  readonly number: number;
  readonly answer: Answer;
}

export async function startStoreProcess(dataDir: string): Promise<StoreProcess> {
  const child = fork(program, [dataDir], { serialization: "advanced", execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error("the store's process ended"))),
  ]);
  child.on("message", ({ number, answer }: Reply) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  return {
    answer(call) {
      const number = (asked += 1);
      return new Promise((resolve, reject) => {
        const impatience = setTimeout(() => {
          reject(new Error(`no answer to ${call.channel}`));
        }, ANSWER_MS);
        waiting.set(number, (answer) => {
          clearTimeout(impatience);
          resolve(answer);
        });
        child.send({ number, ...call });
      });
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
