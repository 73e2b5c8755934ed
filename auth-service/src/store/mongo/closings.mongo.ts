import type { AuthCollections } from "./collections.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import type { AccountState } from "../../domain/records.ts";

/** Deletes the records of a deleted account. Its sessions stay until their ends are announced. */
async function removeBelongings(collections: AuthCollections, accountId: string): Promise<void> {
  const { addresses, deviceTokens, blocks, reports, resetCodes, sessions } = collections;
  await addresses.deleteMany({ accountId });
  await deviceTokens.deleteMany({ accountId });
  await blocks.deleteMany({ accountId });
  await blocks.deleteMany({ userId: accountId });
  await reports.deleteMany({ reporterId: accountId });
  await resetCodes.deleteMany({ accountId });
  await sessions.updateMany({ accountId }, { $set: { ip: "", userAgent: null, deviceName: null } });
}

/** The steps that follow the write that closes an account. The sweep repeats them while `closing` is set. */
export async function finishClosing(
  collections: AuthCollections,
  writer: SessionWriter,
  account: { readonly _id: string; readonly state: AccountState },
  at: number,
): Promise<void> {
  await writer.revokeAll(account._id, at);
  if (account.state === "deleted") await removeBelongings(collections, account._id);
  await collections.accounts.updateOne(
    { _id: account._id, state: account.state },
    { $set: { closing: false } },
  );
}

/** AB11, AB12: finishes the closings of processes that died. */
export async function finishClosings(
  collections: AuthCollections,
  writer: SessionWriter,
  at: number,
): Promise<void> {
  for (const { _id, state = "active" } of await collections.accounts
    .find({ closing: true }, "_id state")
    .lean())
    await finishClosing(collections, writer, { _id, state }, at);
}
