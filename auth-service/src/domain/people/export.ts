import { ProblemError, discoverySubjects } from "@hearth/contracts";
import type { AccountExport } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";
import { refusedToken } from "../sessions/sessions.ts";
import type { AuthStore } from "../store.ts";

export interface ExportDeps {
  readonly store: AuthStore;
  readonly bus: Pick<Bus, "request">;
  readonly clock: Clock;
}

/** AB12: everything this instance stores about an account. Refuses with `UNAVAILABLE` while a service is away. */
export type ExportAccount = (accountId: string) => Promise<AccountExport>;

const isUnreachable = (error: unknown): boolean =>
  error instanceof ProblemError && (error.code === "UNAVAILABLE" || error.code === "TIMEOUT");

export function createExport({ store, bus, clock }: ExportDeps): ExportAccount {
  const fromDiscovery = async (userId: string) => {
    try {
      return (await bus.request(discoverySubjects.exportUser, { userId })).data;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      throw new ProblemError("UNAVAILABLE", "A part of the export cannot be had now; try again shortly", {
        retryAfterMs: 5000,
      });
    }
  };

  return async (accountId) => {
    const account = await store.findAccount(accountId);
    if (account === null) throw refusedToken("unknown");
    const discovery = await fromDiscovery(accountId);
    const { id, username, displayName, createdAt } = account;
    return {
      exportedAt: clock.now(),
      account: {
        ...{ id, username, displayName, createdAt },
        sessions: await store.listAllSessions(id),
        addresses: await store.listAddresses(id),
        deviceTokens: await store.listDeviceTokens(id, clock.now()),
        blocks: await store.listBlocks(id),
        reports: await store.reportsBy(id),
      },
      discovery,
    };
  };
}
