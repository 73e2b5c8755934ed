import path from "node:path";
import process from "node:process";
import { StartError, createLifecycle, createLog, systemClock } from "@hearth/runtime";
import manifest from "../package.json" with { type: "json" };
import { createAppPort } from "./electron/app.electron.ts";
import { HIDDEN_ARGUMENT, createAutoStartFile } from "./files/auto-start-file.ts";
import {
  createBrowserPort,
  createDialogPort,
  createLoginItemPort,
  createNotificationPort,
} from "./electron/desktop.electron.ts";
import { openDevice } from "@hearth/local-api";
import { createIpcPort } from "./electron/ipc.electron.ts";
import { jsonFile } from "./files/json-file.ts";
import { createLogFile } from "./files/log-file.ts";
import type { AutoStartPort } from "./ports.ts";
import { createProtocolPort } from "./electron/protocol.electron.ts";
import { createQuit } from "./quit.ts";
import { createSecretPort } from "./electron/secrets.electron.ts";
import { secretFileSchema } from "./files/secrets.ts";
import { createSecurityPort } from "./electron/security.electron.ts";
import { createShell } from "./shell.ts";
import type { ShellPorts } from "./shell.ts";
import { STRINGS } from "./strings.ts";
import { createMenuPort, createTrayPort } from "./electron/tray.electron.ts";
import { windowBoundsSchema } from "./window/window-bounds.ts";
import { createWindowPort } from "./electron/window.electron.ts";

const { platform, argv, env, execPath } = process;
const app = createAppPort();
const dialog = createDialogPort();
const protocol = createProtocolPort();
const inData = (...names: string[]): string => path.join(app.dataDirectory, ...names);
const inDist = (name: string): string => path.join(import.meta.dirname, name);

const log = createLog({ name: "hearth", destination: createLogFile(inData("logs", "hearth.log")) });
const lifecycle = createLifecycle({ log });
const quit = createQuit({
  stop: () => lifecycle.stop(),
  exit: (code) => {
    app.exit(code);
  },
  log,
});

function autoStart(): AutoStartPort {
  if (platform !== "linux") return createLoginItemPort();
  // An AppImage runs from a different mount point each time.
  const program = env["APPIMAGE"] ?? execPath;
  return createAutoStartFile(
    app.configDirectory,
    app.isPackaged ? [program] : [program, ...argv.slice(1, 2)],
  );
}

const ports = (): ShellPorts => ({
  window: createWindowPort(),
  ipc: createIpcPort(),
  security: createSecurityPort(),
  protocol,
  browser: createBrowserPort(),
  tray: createTrayPort(platform),
  menu: createMenuPort(),
  secrets: createSecretPort(platform),
  notifications: createNotificationPort(),
  autoStart: autoStart(),
  dialog,
});

function compose(): void {
  const device = openDevice({
    directory: app.dataDirectory,
    built: app.resourcesDirectory ?? import.meta.dirname,
    version: manifest.version,
    log,
  });
  const shell = createShell({
    ports: ports(),
    localApi: device.localApi,
    store: device.store.client,
    files: {
      preload: inDist("preload.cjs"),
      renderer: inDist("renderer"),
      boundsFile: jsonFile(inData("window.json"), windowBoundsSchema),
      secrets: jsonFile(inData("secrets.json"), secretFileSchema),
    },
    version: manifest.version,
    platform,
    argv,
    hidden: argv.includes(HIDDEN_ARGUMENT),
    quit,
    clock: systemClock,
    log,
  });
  let ignoreSignals = (): void => undefined;
  lifecycle.add({
    name: "signals",
    start: async () => {
      ignoreSignals = lifecycle.handleSignals();
    },
    stop: async () => {
      ignoreSignals();
    },
  });
  lifecycle.add({
    name: "device",
    stop: async () => {
      device.close();
    },
  });
  lifecycle.add({
    name: "local API",
    start: async () => {
      await device.localApi.start();
    },
    stop: () => device.localApi.stop(),
  });
  lifecycle.add(shell);
  app.listen(shell.events);
}

/** Setup that must precede Electron's ready event runs synchronously; awaiting it while this file loads would hang. */
async function run(): Promise<void> {
  protocol.registerScheme();
  app.registerLinks();
  compose();
  await app.whenReady();
  await lifecycle.start();
}

function startFailed(error: unknown): void {
  log.fatal({ err: error }, "the app could not start");
  const known = error instanceof StartError;
  dialog.showError(STRINGS.startFailed, known ? error.message : inData("logs", "hearth.log"));
  quit(1);
}

if (app.claimInstance()) run().catch(startFailed);
else app.exit(0);
