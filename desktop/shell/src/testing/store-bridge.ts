import { silentLog } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import type { HearthBridge } from "@hearth/bridge";
import type { CallName } from "@hearth/bridge";
import type { CallHandlers } from "@hearth/bridge";
import { openDeviceStore } from "@hearth/store/sqlite";
import type { DeviceStore } from "@hearth/store/sqlite";
import { createStoreHandlers } from "../ipc/store-handlers.ts";
import { serveWindow } from "../ipc/ipc.ts";
import type { Caller, IpcPort } from "../ports.ts";
import { runPreload } from "./preload.ts";

/** The window's page as a sender. */
export const PAGE: Caller = { contentsId: 1, isMainFrame: true, origin: "app://hearth" };

/** Answers like the main process, with its real guard and schemas. */
export function serveStore(
  store: DeviceStore,
  revokeTokens = (): void => undefined,
): Parameters<IpcPort["serve"]>[1] {
  let serve: Parameters<IpcPort["serve"]>[1] | undefined;
  serveWindow({
    port: { serve: (_channels, answer) => ((serve = answer), () => undefined) },
    handlers: createStoreHandlers(store.client, revokeTokens) as CallHandlers,
    contentsId: () => PAGE.contentsId,
    log: silentLog,
  });
  if (!serve) throw new Error("nothing was served");
  return serve;
}

export interface StoreBridge extends DeviceStore {
  readonly bridge: HearthBridge;
}

/**
 * The bridge of a built preload script to a main process with an in-memory database; everything that crosses is
 * copied.
 */
export function openStoreBridge(script: string, clock: Clock): StoreBridge {
  const store = openDeviceStore({ file: ":memory:", log: silentLog, clock });
  const serve = serveStore(store);
  const { hearth } = runPreload(script, async (channel, input) =>
    structuredClone(await serve(channel as CallName, PAGE, input)),
  );
  return { ...store, bridge: hearth };
}
