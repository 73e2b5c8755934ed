import { ProblemError } from "@hearth/contracts";
import type { DeviceToken } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import { refusedToken } from "./sessions.ts";
import type { Holder } from "./sessions.ts";
import type { DeviceTokenStore } from "../store.ts";

export interface DeviceTokens {
  list(accountId: string): Promise<DeviceToken[]>;
  put(
    holder: Holder,
    deviceId: string,
    value: { readonly platform: string; readonly token: string },
  ): Promise<DeviceToken>;
  remove(accountId: string, deviceId: string): Promise<void>;
}

export const createDeviceTokens = (
  store: DeviceTokenStore,
  clock: Clock,
  maxTokens: number,
): DeviceTokens => ({
  list: async (accountId) => [...(await store.listDeviceTokens(accountId, clock.now()))],

  put: async ({ userId, sessionId }, deviceId, { platform, token }) => {
    const stored = { deviceId, platform, token, updatedAt: clock.now() };
    switch (await store.putDeviceToken(userId, sessionId, stored, maxTokens)) {
      case "stored":
        return stored;
      case "newer_stored":
        throw new ProblemError("CONFLICT", "A newer token is stored for this device");
      case "too_many":
        throw new ProblemError("QUOTA_EXCEEDED", `An account may have ${maxTokens} device tokens`, {
          reason: "device_tokens",
        });
      case "session_ended":
        throw refusedToken("revoked");
    }
  },

  remove: async (accountId, deviceId) => {
    if (!(await store.deleteDeviceToken(accountId, deviceId))) throw new ProblemError("NOT_FOUND");
  },
});
