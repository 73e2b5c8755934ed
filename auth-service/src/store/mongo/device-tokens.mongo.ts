import { isDuplicateKey } from "@hearth/runtime/network";
import type { AuthCollections } from "./collections.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import type { DeviceTokenStore, SigningKeyStore } from "../../domain/store.ts";

/**
 * Device tokens in MongoDB. The number of devices is looked at before the write, so that two devices that come at the
 * same moment may be one more than allowed.
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
      (await living(accountId, now)).map(({ deviceId, platform, token, updatedAt }) => ({
        deviceId,
        platform,
        token,
        updatedAt,
      })),
    async putDeviceToken(accountId, sessionId, { deviceId, platform, token, updatedAt }, limit) {
      if (!(await writer.lives(sessionId, accountId, updatedAt))) return "session_ended";
      const others = (await living(accountId, updatedAt)).filter((other) => other.deviceId !== deviceId);
      if (others.length >= limit) return "too_many";
      try {
        await deviceTokens.updateOne(
          { _id: `${accountId} ${deviceId}`, updatedAt: { $lte: updatedAt } },
          { $set: { accountId, deviceId, sessionId, platform, token, updatedAt } },
          { upsert: true },
        );
        return "stored";
      } catch (error) {
        // The one that is there is newer, so the filter missed it and the insert met it.
        if (isDuplicateKey(error)) return "newer_stored";
        throw error;
      }
    },
    deleteDeviceToken: async (accountId, deviceId) =>
      (await deviceTokens.deleteOne({ _id: `${accountId} ${deviceId}` })).deletedCount === 1,
  };
}

/** Public keys in MongoDB; a TTL index removes old ones, and no question answers one that has expired. */
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
