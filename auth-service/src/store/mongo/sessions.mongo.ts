import { pickFields } from "@hearth/runtime";
import type { AuthCollections } from "./collections.mongo.ts";
import { finishClosings } from "./closings.mongo.ts";
import { LIVE, revokedAt, sessionWriter } from "./session-writer.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import { listedSession } from "../../domain/records.ts";
import type { SessionStore } from "../../domain/store.ts";

type Reads = Pick<SessionStore, "findSession" | "sessionState" | "listSessions">;
type Endings = Omit<SessionStore, keyof Reads | "createSession" | "endOtherSessions">;

function sessionReads({ accounts, sessions }: AuthCollections): Reads {
  return {
    async findSession(tokenHash) {
      const session = await sessions.findOne({ tokenHash, pending: false }).lean();
      const account = session && (await accounts.findById(session.accountId).lean());
      if (!account) return null;
      const { _id: id, accountId, lastUsedAt, expiresAt, deviceName } = session;
      const { username, displayName, state = "active" } = account;
      // Closing an account is one write, which comes before the ends of its sessions.
      const endReason = session.endReason ?? (state === "active" ? null : "revoked");
      return { id, accountId, username, displayName, lastUsedAt, expiresAt, deviceName, endReason };
    },
    async sessionState(id, accountId) {
      const session = await sessions.findOne({ _id: id, accountId, pending: false }).lean();
      return session && { expiresAt: session.expiresAt, endReason: session.endReason };
    },
    async listSessions(accountId, now) {
      const filter = { accountId, pending: false, ...LIVE, expiresAt: { $gt: now } };
      const found = await sessions.find(filter).sort({ lastUsedAt: -1, _id: -1 }).lean();
      return found.map(({ _id: id, ...rest }) => pickFields(listedSession, { id, ...rest }));
    },
  };
}

/** Longer than any login or change of a password takes: older entries belong to processes that died. */
const ABANDONED_MS = 60_000;
const MAX_FORGOTTEN_PER_STEP = 1_000;

/** Ends the sessions that a change of the password did not end because its process died. */
async function finishPasswordChanges(
  { accounts, sessions, passwordChanges }: AuthCollections,
  now: number,
): Promise<void> {
  for (const change of await passwordChanges.find({ at: { $lt: now - ABANDONED_MS } }).lean()) {
    const { _id, accountId, passwordHash, keepSessionId, at } = change;
    const others = { accountId, _id: { $ne: keepSessionId }, ...LIVE, createdAt: { $lte: at } };
    if (await accounts.exists({ _id: accountId, passwordHash }))
      await sessions.updateMany(others, revokedAt(now));
    await passwordChanges.deleteOne({ _id });
  }
}

function sessionEndings(collections: AuthCollections, writer: SessionWriter): Endings {
  const { sessions, addresses, deviceTokens } = collections;
  return {
    async noteUses(notes) {
      for (const { id, seenLastUsedAt, lastUsedAt, deviceName } of notes) {
        const filter = { _id: id, lastUsedAt: seenLastUsedAt, ...LIVE };
        await sessions.updateOne(filter, { $set: { lastUsedAt, deviceName } });
      }
    },
    async endSession(id, accountId, at) {
      const filter = { _id: id, accountId, ...LIVE, expiresAt: { $gt: at } };
      return (await sessions.updateOne(filter, revokedAt(at))).modifiedCount === 1;
    },
    async expireSessions(now) {
      const ended = { $set: { endedAt: now, endReason: "expired" as const } };
      await sessions.updateMany({ ...LIVE, expiresAt: { $lte: now } }, ended);
      await finishPasswordChanges(collections, now);
      await finishClosings(collections, writer, now);
    },
    async unannounced(limit) {
      const filter = { announced: false, pending: false, endedAt: { $ne: null } };
      const found = await sessions.find(filter).sort({ endedAt: 1 }).limit(limit).lean();
      return found.map(({ _id, accountId, endReason }) => ({
        sessionId: _id,
        userId: accountId,
        reason: endReason ?? "revoked",
      }));
    },
    async markAnnounced(ids) {
      await sessions.updateMany(
        { _id: { $in: [...ids] }, endedAt: { $ne: null } },
        { $set: { announced: true } },
      );
    },
    async forgetEnded(before, unusedBefore) {
      for (let full = true; full; ) {
        const old = { announced: true, endedAt: { $ne: null, $lt: before } };
        const ids = (await sessions.find(old, "_id").limit(MAX_FORGOTTEN_PER_STEP).lean()).map(
          ({ _id }) => _id,
        );
        await deviceTokens.deleteMany({ sessionId: { $in: ids } });
        await sessions.deleteMany({ _id: { $in: ids } });
        full = ids.length === MAX_FORGOTTEN_PER_STEP;
      }
      // Logins whose process died while they were pending: nobody has received their tokens.
      await sessions.deleteMany({ pending: true, createdAt: { $lt: before } });
      await addresses.deleteMany({ lastLoginAt: { $lt: unusedBefore } });
    },
  };
}

export function mongoSessions(
  collections: AuthCollections,
): SessionStore & { readonly writer: SessionWriter } {
  const writer = sessionWriter(collections);
  return {
    writer,
    createSession: (session, passwordHash) => writer.open(session, passwordHash),
    endOtherSessions: (accountId, keepId, at) => writer.revokeOthers(accountId, keepId, at),
    ...sessionReads(collections),
    ...sessionEndings(collections, writer),
  };
}
