import { protocol } from "electron";
import { APP_SCHEME } from "../window/origin.ts";
import type { ProtocolPort } from "../ports.ts";

export const createProtocolPort = (): ProtocolPort => ({
  registerScheme() {
    protocol.registerSchemesAsPrivileged([
      { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
  },
  serve(handler) {
    protocol.handle(APP_SCHEME, handler);
  },
});
