import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createMemoryLimiters, silentLog } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import { manualClock, recordedLog, serve } from "@hearth/runtime/testing";
import { createLocalAccess } from "../access/create-local-access.ts";
import type { UpstreamLogin } from "../access/upstream.ts";
import type { DeviceCredential } from "@hearth/device";
import { createHostGuard } from "../server/host-guard.ts";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";
import type { DeviceReader } from "@hearth/store";
import { openDeviceReader, openDeviceStore } from "@hearth/store/sqlite";
import { createLocalApi } from "../create-local-api.ts";
import type { Middleware } from "../create-local-api.ts";
import { parsed, rawCall } from "./raw-call.ts";
import type { Answer } from "./raw-call.ts";
import { ME, NOW, SERVER, fillSample } from "./sample.ts";

type Init = NonNullable<Parameters<typeof fetch>[1]>;

export const credentials = { username: "mira", password: "a long password", serverUrl: SERVER };
export const json = { "content-type": "application/json" };

async function answerOf(sent: Promise<Response>): Promise<Answer> {
  const response = await sent;
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** Every call rejects, as with an unavailable database or an internal error. */
export const deviceFailingWith = (reason: Error): DeviceReader =>
  new Proxy({} as DeviceReader, { get: () => async () => Promise.reject(reason) });

/** Delegates to the reader that `current` names at the moment. */
function readerOf(current: () => DeviceReader): DeviceReader {
  return new Proxy({} as DeviceReader, {
    get: (_nothing, name) => {
      const reader = current();
      const asked: unknown = Reflect.get(reader, name);
      return typeof asked === "function" ? (asked.bind(reader) as unknown) : asked;
    },
  });
}

/** A device with a database file: the app's writer and the read-only handle (LA1). */
async function openDevice(clock: Clock, messages: number) {
  const folder = mkdtempSync(path.join(tmpdir(), "hearth-local-api-"));
  const file = path.join(folder, "device.db");
  const store = openDeviceStore({ file, log: silentLog, clock });
  await fillSample(store.writer, messages);
  const device = openDeviceReader({ file, log: silentLog });
  const close = (): void => {
    device.close();
    store.close();
    rmSync(folder, { recursive: true });
  };
  return { file, writer: store.writer, reader: device.reader, close };
}

/** The local API on a free port; tests control everything around it. */
export async function startLocalApi(messages = 7) {
  const recorded = recordedLog();
  const clock = manualClock(NOW);
  const device = await openDevice(clock, messages);
  const turn = {
    reader: device.reader,
    settings: { ...DEFAULT_LOCAL_API_SETTINGS, allowedSignalingServers: [SERVER] } as LocalApiSettings,
    accounts: (): readonly DeviceCredential[] => [],
    validate: (async ({ username }) => ({ id: ME, username, displayName: "Mira" })) as UpstreamLogin,
    documents: ((_request, _response, next) => next()) as Middleware,
    /** Thrown when the settings are read, which every request does first. */
    trouble: undefined as Error | undefined,
  };
  const settings = (): LocalApiSettings => {
    if (turn.trouble) throw turn.trouble;
    return turn.settings;
  };
  const access = createLocalAccess({
    allowedServers: () => turn.settings.allowedSignalingServers,
    accounts: async () => turn.accounts(),
    validate: (login) => turn.validate(login),
    clock,
    limiters: createMemoryLimiters(),
    log: recorded.log,
  });
  const reader = readerOf(() => turn.reader);
  const guard = createHostGuard(() => ({ port: served.port, exposeOnLan: settings().exposeOnLan }));
  const documents: Middleware = (request, response, next) => turn.documents(request, response, next);
  const shared = { reader, access, settings, version: "1.2.3", clock, log: recorded.log };
  const served = await serve(createLocalApi({ ...shared, guard, documents }));

  const call = (method: string, target: string, init: Init = {}): Promise<Answer> =>
    answerOf(fetch(served.url + target, { method, redirect: "manual", ...init }));
  const login = (body: unknown = credentials) =>
    call("POST", "/api/auth/login", { headers: json, body: JSON.stringify(body) });
  const { token } = (await login()).body as { token: string };
  const bearer = { authorization: `Bearer ${token}` };

  return {
    port: served.port,
    /** Like `call`, with raw headers, repeated and forbidden ones included. */
    callRaw: rawCall.bind(undefined, served.port),
    turn,
    access,
    recorded,
    token,
    bearer,
    call,
    login,
    clock,
    get: (target: string, headers: Record<string, string> = {}) =>
      call("GET", target, { headers: { ...bearer, ...headers } }),
    device,
    async close(): Promise<void> {
      await served.close();
      device.close();
    },
  };
}

export type LocalApiUnderTest = Awaited<ReturnType<typeof startLocalApi>>;
