import { deviceTokenSchema } from "@hearth/contracts";
import { pickFields } from "@hearth/runtime";
import { isDuplicateKey } from "@hearth/runtime/network";
import type { AuthCollections } from "./collections.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import type { DeviceTokenStore, SigningKeyStore } from "../../domain/store.ts";

/**
 * Device tokens in MongoDB. The count is checked before the write, so two concurrent writes may exceed the limit by one.
 */
export function mongoDeviceTokens(collections: AuthCollections, writer: SessionWriter): DeviceTokenStore {
  const { deviceTokens, sessions } = collections;
  const living = async (accountId: string, now: number) => {
    const filter = { accountId, pending: false, endedAt: null, expiresAt: { $gt: now } };
    const live = new Set((await sessions.find(filter, "_id").lean()).map(({ _id }) => _id));
    const found = await deviceTokens.find({ accountId }).sort({ deviceId: 1 }).lean();
    return found.filter(({ sessionId }) => live.has(sessionId));
  };
  return {
    listDeviceTokens: async (accountId, now) =>
      (await living(accountId, now)).map((document) => pickFields(deviceTokenSchema, document)),
    async putDeviceToken(accountId, sessionId, token, limit) {
      const { deviceId, updatedAt } = token;
      if (!(await writer.lives(sessionId, accountId, updatedAt))) return "session_ended";
      const others = (await living(accountId, updatedAt)).filter((other) => other.deviceId !== deviceId);
      if (others.length >= limit) return "too_many";
      try {
        await deviceTokens.updateOne(
          { _id: `${accountId} ${deviceId}`, updatedAt: { $lte: updatedAt } },
          { $set: { accountId, sessionId, ...token } },
          { upsert: true },
        );
        return "stored";
      } catch (error) {
        // The stored token is newer: the filter did not match it, so the upsert tried to insert.
        if (isDuplicateKey(error)) return "newer_stored";
        throw error;
      }
    },
    deleteDeviceToken: async (accountId, deviceId) =>
      (await deviceTokens.deleteOne({ _id: `${accountId} ${deviceId}` })).deletedCount === 1,
  };
}

/** Public keys in MongoDB. A TTL index removes expired keys, and no query returns one. */
export const mongoSigningKeys = ({ signingKeys }: AuthCollections): SigningKeyStore => ({
  async addSigningKey({ kid, x, expiresAt }) {
    await signingKeys.create([{ _id: kid, x, expiresAt, forgetAt: new Date(expiresAt) }]);
  },
  signingKeys: async (now) =>
    (
      await signingKeys
        .find({ expiresAt: { $gt: now } })
        .sort({ expiresAt: 1 })
        .lean()
    ).map(({ _id: kid, x, expiresAt }) => ({ kid, x, expiresAt })),
  async forgetSigningKeys(expiredBefore) {
    await signingKeys.deleteMany({ expiresAt: { $lt: expiredBefore } });
  },
});
