import type { SessionRecord } from "../../domain/records.ts";
import type { AuthCollections, SessionDocument } from "./collections.mongo.ts";

/** Writes to sessions that are part of a change of an account. */
export interface SessionWriter {
  /** False when the account is not active, or its hash has changed. */
  open(session: SessionRecord, passwordHash: string): Promise<boolean>;
  lives(id: string, accountId: string, at: number): Promise<boolean>;
  revokeOthers(accountId: string, keepId: string, at: number): Promise<void>;
  revokeAll(accountId: string, at: number): Promise<void>;
}

const documentOf = ({ id, addressBlock: _, ...rest }: SessionRecord): SessionDocument => ({
  _id: id,
  ...rest,
  endedAt: null,
  endReason: null,
  announced: false,
  pending: true,
});

export const LIVE = { endedAt: null } as const;
/** Also matches accounts of older versions, which have no state. */
export const ACTIVE = { state: { $nin: ["suspended" as const, "deleted" as const] } };
export const revokedAt = (at: number) => ({ $set: { endedAt: at, endReason: "revoked" as const } });

/**
 * A login writes a pending session and activates it after it has seen that the account's hash is still the one that the
 * password was checked against. A change of the password writes the hash first and then ends all sessions, including
 * pending ones. In either order, no session survives the change (rule AU1).
 */
export function sessionWriter({ accounts, sessions, addresses }: AuthCollections): SessionWriter {
  return {
    async open(session, passwordHash) {
      await sessions.create([documentOf(session)]);
      const holds = await accounts.exists({ _id: session.accountId, passwordHash, ...ACTIVE });
      const filter = { _id: session.id, pending: true, ...LIVE };
      const { modifiedCount } = holds
        ? await sessions.updateOne(filter, { $set: { pending: false } })
        : { modifiedCount: 0 };
      if (modifiedCount === 0) {
        await sessions.deleteOne({ _id: session.id });
        return false;
      }
      const { accountId, addressBlock, createdAt } = session;
      await addresses.updateOne(
        { _id: `${accountId} ${addressBlock}` },
        { $set: { accountId, addressBlock, lastLoginAt: createdAt } },
        { upsert: true },
      );
      return true;
    },
    lives: async (id, accountId, at) =>
      (await sessions.exists({ _id: id, accountId, pending: false, ...LIVE, expiresAt: { $gt: at } })) !==
      null,
    async revokeOthers(accountId, keepId, at) {
      await sessions.updateMany(
        { accountId, _id: { $ne: keepId }, ...LIVE, expiresAt: { $gt: at } },
        revokedAt(at),
      );
    },
    async revokeAll(accountId, at) {
      await sessions.updateMany({ accountId, ...LIVE, expiresAt: { $gt: at } }, revokedAt(at));
    },
  };
}
