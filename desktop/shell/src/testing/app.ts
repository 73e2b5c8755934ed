import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import type { Answer, CallInput, CallOutput } from "@hearth/bridge";
import type { CallName } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";
import { until } from "@hearth/runtime/testing/until";
import { app, powerMonitor, session } from "./electron.ts";
import { startFake } from "./state.ts";
import type { FakeSetup, FakeState } from "./state.ts";
import type { FakeWindow } from "./window.ts";

export interface AppSetup extends Partial<FakeSetup> {
  readonly argv?: readonly string[];
  readonly settings?: Partial<LocalApiSettings>;
  /** A file that is no database. */
  readonly damaged?: boolean;
  /** The data folder of an earlier run. */
  readonly keep?: string;
}

export interface Frame {
  readonly contentsId?: number;
  readonly origin?: string;
  readonly isMainFrame?: boolean;
}

/** The app from its real entry file, with a fake Electron. */
export interface RunningApp {
  readonly fake: FakeState;
  readonly directory: string;
  readonly window: FakeWindow;
  /** Calls a channel like the window's frame; returns the result as it crosses. */
  invoke(channel: string, input?: unknown, frame?: Frame): Promise<Answer>;
  call<N extends CallName>(channel: N, input?: CallInput<N>): Promise<CallOutput<N>>;
  /** Asks it to quit, and resolves to the exit code. */
  quit(): Promise<number>;
}

let starts = 0;

/** Evaluates the entry file again, up to where it waits for Electron. */
export async function loadMain(setup: AppSetup = {}): Promise<{ fake: FakeState; directory: string }> {
  const directory = setup.keep ?? (await mkdtemp(path.join(tmpdir(), "hearth-shell-")));
  if (setup.settings) await writeFile(path.join(directory, "local-api.json"), JSON.stringify(setup.settings));
  if (setup.damaged) await writeFile(path.join(directory, "device.sqlite"), "not a database".repeat(100));
  const fake = startFake({ ...setup, userData: directory });
  app.startOver();
  powerMonitor.forgetListeners();
  session.defaultSession.forgetListeners();
  process.argv = ["/opt/hearth/hearth", ...(setup.argv ?? [])];
  starts += 1;
  await import(`../main.ts?start=${starts}`);
  return { fake, directory };
}

export async function startApp(setup: AppSetup = {}): Promise<RunningApp> {
  const { fake, directory } = await loadMain(setup);
  app.becomeReady();
  await until(() => fake.windows[0]?.loaded !== undefined || fake.exits.length > 0);
  const [window] = fake.windows;
  if (!window) throw new Error(`the app ended: ${JSON.stringify(fake.errors)}`);
  const invoke: RunningApp["invoke"] = async (channel, input, frame = {}) => {
    const handler = fake.handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const own = { ...window.webContents.mainFrame, origin: frame.origin ?? "app://hearth" };
    const mainFrame = frame.isMainFrame === false ? window.webContents.mainFrame : own;
    const sender = { id: frame.contentsId ?? window.webContents.id, mainFrame };
    const answer = (handler as (...args: unknown[]) => unknown)(
      { sender, senderFrame: own },
      structuredClone(input),
    );
    return structuredClone((await answer) as Answer);
  };
  return {
    fake,
    directory,
    window,
    invoke,
    async call(channel, input) {
      const answer = await invoke(channel, input);
      if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
      return answer.value as never;
    },
    async quit() {
      if (fake.exits.length === 0) app.askToQuit();
      await until(() => fake.exits.length > 0);
      return fake.exits[0] ?? Number.NaN;
    },
  };
}

export const forget = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true });
