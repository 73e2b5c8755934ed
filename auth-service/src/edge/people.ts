import type { userRoutes } from "@hearth/contracts";
import { addressBlock } from "@hearth/runtime";
import type { Actor, Handlers } from "@hearth/runtime";
import type { Accounts } from "../domain/accounts/accounts.ts";
import type { AuthMetrics } from "./metrics.ts";
import type { Blocks } from "../domain/people/blocks.ts";
import type { Deletions } from "../domain/people/deletions.ts";
import type { ExportAccount } from "../domain/people/export.ts";
import type { Reports } from "../domain/people/reports.ts";

export interface PeopleHandlersDeps {
  readonly accounts: Accounts;
  readonly blocks: Blocks;
  readonly reports: Reports;
  readonly deletions: Deletions;
  readonly exportAccount: ExportAccount;
  readonly metrics: AuthMetrics;
}

type RequireOwn = (actor: Actor) => Promise<string>;
type PeopleHandlers = Pick<
  Handlers<typeof userRoutes>,
  "deleteMe" | "exportMe" | "listBlocks" | "putBlock" | "deleteBlock" | "report"
>;

/** AB12 */
export const peopleHandlers = (deps: PeopleHandlersDeps, requireOwn: RequireOwn): PeopleHandlers => ({
  deleteMe: async ({ actor, body, clientAddress }) => {
    const id = await requireOwn(actor);
    const block = addressBlock(clientAddress);
    await deps.metrics.countLogin(deps.accounts.provePassword(id, body.currentPassword, block));
    await deps.deletions.delete(id, body.ownedServers);
  },
  exportMe: async ({ actor }) => deps.exportAccount(await requireOwn(actor)),
  listBlocks: async ({ actor }) => ({ items: await deps.blocks.list(await requireOwn(actor)) }),
  putBlock: async ({ actor, params }) => {
    await deps.blocks.put(await requireOwn(actor), params.userId.toLowerCase());
  },
  deleteBlock: async ({ actor, params }) => {
    await deps.blocks.remove(await requireOwn(actor), params.userId.toLowerCase());
  },
  report: async ({ actor, body, reportQuota }) => {
    reportQuota(await deps.reports.add(await requireOwn(actor), body));
  },
});
