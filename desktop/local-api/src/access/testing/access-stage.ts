import { ProblemError } from "@hearth/contracts";
import { createMemoryLimiters } from "@hearth/runtime";
import { manualClock, recordedLog } from "@hearth/runtime/testing";
import type { DeviceCredential } from "@hearth/device";
import { createLocalAccess } from "../create-local-access.ts";
import type { LocalAccessOptions } from "../create-local-access.ts";
import type { Caller } from "../local-access.ts";
import type { UpstreamAccount, UpstreamCredentials } from "../upstream.ts";

export const ADA: UpstreamAccount = {
  id: "0197b1d0-0000-7000-8000-00000000000a",
  username: "ada",
  displayName: "Ada",
};
export const SERVER = "http://ok.example";
export const BODY = { username: "ada", password: "marker-password", serverUrl: SERVER };

export const from = (remoteAddress: string): Caller => ({ remoteAddress, userAgent: "curl/8" });
export const HERE = from("127.0.0.1");

/** An account of the device. */
export const credential = (userId: string, signalServerUrl: string): DeviceCredential => ({
  signalServerUrl,
  userId,
  username: "ada",
  displayName: "Ada",
  expiresAt: 0,
  autoProvisioned: false,
  isHome: true,
});

export async function refusal(work: () => unknown): Promise<ProblemError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}

/** Local access on a device without accounts; tests control everything around it. */
export function stageAccess(limiters: LocalAccessOptions["limiters"] = createMemoryLimiters()) {
  const clock = manualClock();
  const log = recordedLog();
  const turn = {
    allowed: [SERVER],
    accounts: async (): Promise<readonly DeviceCredential[]> => [],
    validate: async (): Promise<UpstreamAccount> => ADA,
  };
  const asked: UpstreamCredentials[] = [];
  const access = createLocalAccess({
    allowedServers: () => turn.allowed,
    accounts: () => turn.accounts(),
    validate: (credentials) => {
      asked.push(credentials);
      return turn.validate();
    },
    clock,
    limiters,
    log: log.log,
  });
  return {
    turn,
    access,
    clock,
    log,
    asked,
    loginRefusal: (body: unknown, caller = HERE) => refusal(() => access.login(body, caller)),
    verifyRefusal: async (token: string) => (await refusal(() => access.verify(token))).extras.reason,
  };
}
