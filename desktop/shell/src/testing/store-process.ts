import process from "node:process";
import { silentLog } from "@hearth/runtime";
import type { CallName } from "@hearth/bridge";
import { dataFolder } from "@hearth/local-api/data-folder";
import { openDeviceStore } from "@hearth/store/sqlite";
import { PAGE, serveStore } from "./store-bridge.ts";

/** A call of the parent process's page. */
interface Question {
  readonly number: number;
  readonly channel: CallName;
  readonly input: unknown;
}

/** The main process's part of the store as a process: `node store-process.ts DATA-FOLDER`. */
const store = openDeviceStore({ file: dataFolder(process.argv[2] ?? "").database, log: silentLog });
const serve = serveStore(store);

process.on("message", ({ number, channel, input }: Question) => {
  void serve(channel, PAGE, input).then((answer) => process.send?.({ number, answer }));
});
process.once("disconnect", () => {
  store.close();
});
process.send?.({ ready: true });
