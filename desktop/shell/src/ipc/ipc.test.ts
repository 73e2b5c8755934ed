import { ProblemError } from "@hearth/contracts";
import { createLog, silentLog } from "@hearth/runtime";
import { describe, expect, it } from "@jest/globals";
import { CALL } from "@hearth/bridge";
import type { CallName } from "@hearth/bridge";
import type { CallHandlers } from "@hearth/bridge";
import { serveWindow } from "./ipc.ts";
import type { Caller, IpcPort } from "../ports.ts";

type Serve = Parameters<IpcPort["serve"]>[1];

function served(handlers: Partial<CallHandlers>, log = silentLog): Serve {
  let serve: Serve | undefined;
  serveWindow({
    port: {
      serve(_channels, answer) {
        serve = answer;
        return () => undefined;
      },
    },
    handlers: handlers as CallHandlers,
    contentsId: () => 1,
    log,
  });
  if (!serve) throw new Error("nothing was served");
  return serve;
}

const page: Caller = { contentsId: 1, isMainFrame: true, origin: "app://hearth" };

describe("IPC calls", () => {
  it("S16 pass errors as code and sentence, and unexpected ones as neither", async () => {
    const lines: string[] = [];
    const log = createLog({ name: "test", destination: { write: (line) => void lines.push(line) } });
    const call = served(
      {
        [CALL.viewLocalApi]: () => {
          throw new ProblemError("UNAVAILABLE", "The local API is off.", { details: { path: "/home/ada" } });
        },
        [CALL.revokeAllTokens]: () => {
          throw new Error("SQLITE_ERROR near /home/ada");
        },
      },
      log,
    );
    expect(await call(CALL.viewLocalApi, page, undefined)).toEqual({
      ok: false,
      error: { code: "UNAVAILABLE", message: "The local API is off." },
    });
    expect(await call(CALL.revokeAllTokens, page, undefined)).toEqual({
      ok: false,
      error: { code: "INTERNAL", message: "Internal error" },
    });
    expect(lines.join()).toContain("SQLITE_ERROR");
  });

  it("S16 return only what the channel's schema names", async () => {
    const view = {
      settings: {
        enabled: false,
        port: 1,
        exposeOnLan: false,
        referenceDocsEnabled: false,
        staticDocsEnabled: false,
        allowedSignalingServers: [],
      },
      state: { status: "stopped" as const, urls: [], lastError: null },
      tokens: [],
    };
    const call = served({ [CALL.viewLocalApi]: () => Object.assign({ hash: "marker-secret" }, view) });
    expect(await call(CALL.viewLocalApi, page, undefined)).toEqual({ ok: true, value: view });
  });

  it("S16 refuse unlisted channels, including inherited properties", async () => {
    const call = served({});
    for (const channel of ["shell:open", "toString", "__proto__"])
      expect(await call(channel as CallName, page, undefined)).toMatchObject({
        error: { code: "NOT_FOUND" },
      });
  });

  it("S16 refuse everybody while no window is open", async () => {
    let serve: Serve | undefined;
    serveWindow({
      port: { serve: (_channels, answer) => ((serve = answer), () => undefined) },
      handlers: {} as CallHandlers,
      contentsId: () => undefined,
      log: silentLog,
    });
    expect(await serve?.(CALL.viewLocalApi, page, undefined)).toMatchObject({ error: { code: "FORBIDDEN" } });
  });
});
