import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { createLifecycle, StartError } from "@hearth/runtime";
import type { Lifecycle, Log } from "@hearth/runtime";
import type { LocalApiSettings } from "@hearth/device";
import { createSettingsFile } from "@hearth/local-api";
import { banner, trialText } from "./banner.ts";
import type { Trial } from "./banner.ts";
import { dataFolder } from "@hearth/local-api";
import { createDeviceApi } from "@hearth/local-api";
import type { DeviceApi } from "@hearth/local-api";
import type { HeadlessOptions } from "./options.ts";
import { ensureSample } from "./sample-folder.ts";

/** A document that must be built before it can be served. */
export type BuiltDocument = "reference" | "static-docs";

export interface Surroundings {
  /** The build's output folder. */
  readonly built: string;
  /** Builds what is missing. */
  readonly prepare: (documents: readonly BuiltDocument[]) => Promise<void>;
  readonly version: string;
  readonly log: Log;
  readonly now: () => number;
  readonly write: (text: string) => void;
}

const OWN_FOLDER = "data/desktop";
const SAMPLE_FOLDER = "data/desktop-sample";

/** A file instead of a folder would cause confusing errors later. */
function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new StartError(`${folder} is not a folder; choose one with --data-dir DIR`);
  }
}

async function settingsOf(file: string, overrides: Partial<LocalApiSettings>, log: Log) {
  const { settings, trouble } = await createSettingsFile({ file, log }).load();
  if (trouble !== null) throw new StartError(trouble);
  return { ...settings, enabled: true, ...overrides };
}

function documentsOf(settings: LocalApiSettings): readonly BuiltDocument[] {
  const { referenceDocsEnabled, staticDocsEnabled } = settings;
  return [
    ...(referenceDocsEnabled ? (["reference"] as const) : []),
    ...(staticDocsEnabled ? (["static-docs"] as const) : []),
  ];
}

/** The server's message mentions the app's settings; here the port is an option. */
function refusal(lastError: string | null): StartError {
  const [sentence = ""] = (lastError ?? "The local API could not start.").split(/\. |\.$/);
  return new StartError(`${sentence}; choose another port with --port N`);
}

/** Whoever starts a sample owns the machine, and gets a token without a login. */
async function trialOf({ reader, access }: DeviceApi, isNew: boolean): Promise<Trial> {
  const profile = await reader.profile();
  const rooms = await reader.rooms();
  const room = rooms.find(({ kind }) => kind === "server");
  if (!profile || !room) throw new StartError("The sample is damaged. Remove its folder");
  const { token } = access.issue({
    userId: profile.id,
    username: profile.username,
    serverUrl: profile.homeSignalServerUrl,
    remoteAddress: "127.0.0.1",
    userAgent: "the terminal that shows the sample",
  });
  return { token, roomId: room.id, roomName: room.name, isNew };
}

/** Starts the local API on a data folder and prints its address. Throws a `StartError` if that fails. */
export async function startHeadless(options: HeadlessOptions, around: Surroundings): Promise<Lifecycle> {
  const { log, version, built, write } = around;
  const data = dataFolder(path.resolve(options.dataDir ?? (options.sample ? SAMPLE_FOLDER : OWN_FOLDER)));
  checkFolder(data.folder);
  const settings = await settingsOf(data.settings, options.overrides, log);
  const isNew = options.sample && (await ensureSample(data, log, around.now()));
  await around.prepare(documentsOf(settings));

  const api = createDeviceApi({ database: data.database, built, version, settings: () => settings, log });
  const lifecycle = createLifecycle({ log });
  lifecycle.add({ name: "device", stop: async () => api.close() });
  lifecycle.add({ name: "local API", start: () => listen(api, settings), stop: () => api.server.stop() });
  lifecycle.handleSignals();
  await lifecycle.start();

  const state = api.server.state();
  write(banner({ version, folder: data.folder, hasData: existsSync(data.database), settings, state }));
  if (options.sample) write(trialText(state.urls[0] ?? "", await trialOf(api, isNew)));
  return lifecycle;
}

async function listen({ server }: DeviceApi, settings: LocalApiSettings): Promise<void> {
  const { status, lastError } = await server.apply(settings);
  if (status !== "listening") throw refusal(lastError);
}
