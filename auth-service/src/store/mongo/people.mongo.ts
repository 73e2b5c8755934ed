import { isDuplicateKey } from "@hearth/runtime/network";
import type { AuthCollections } from "./collections.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import { finishClosing } from "./closings.mongo.ts";
import type { ReportDocument } from "./people-collections.mongo.ts";
import type {
  BlockStore,
  DeletionStore,
  PeopleStore,
  ReportRecord,
  ReportStore,
  TraceStore,
} from "../../domain/people-store.ts";

/** The count is checked before the write, so two concurrent blocks may exceed the limit by one. */
function mongoBlocks({ blocks }: AuthCollections): BlockStore {
  const idOf = (accountId: string, userId: string): string => `${accountId} ${userId}`;
  return {
    listBlocks: async (accountId) =>
      (await blocks.find({ accountId }).sort({ createdAt: -1, userId: -1 }).lean()).map(
        ({ userId, createdAt }) => ({ userId, createdAt }),
      ),
    async putBlock(accountId, userId, at, limit) {
      const _id = idOf(accountId, userId);
      if (await blocks.exists({ _id })) return "exists";
      if ((await blocks.countDocuments({ accountId })) >= limit) return "too_many";
      try {
        await blocks.create([{ _id, accountId, userId, createdAt: at }]);
        return "stored";
      } catch (error) {
        if (isDuplicateKey(error)) return "exists";
        throw error;
      }
    },
    deleteBlock: async (accountId, userId) =>
      (await blocks.deleteOne({ _id: idOf(accountId, userId) })).deletedCount === 1,
    isBlocked: async (accountId, userId) => (await blocks.exists({ _id: idOf(accountId, userId) })) !== null,
  };
}

const reportOf = ({ _id: id, ...rest }: ReportDocument): ReportRecord => ({ id, ...rest });

function mongoReports({ reports }: AuthCollections): ReportStore {
  const order = { createdAt: 1, _id: 1 } as const;
  return {
    async addReport({ id, ...rest }) {
      await reports.create([{ _id: id, ...rest }]);
    },
    listReports: async (which, limit) =>
      (
        await reports
          .find(which === "open" ? { resolvedAt: null } : {})
          .sort(order)
          .limit(limit)
          .lean()
      ).map(reportOf),
    reportsBy: async (reporterId) => (await reports.find({ reporterId }).sort(order).lean()).map(reportOf),
    async resolveReport(id, resolution, at) {
      const change = { $set: { resolvedAt: at, resolution } };
      return (await reports.updateOne({ _id: id, resolvedAt: null }, change)).modifiedCount === 1;
    },
  };
}

/** One write marks the account as deleted. The sweep finishes the other steps if this process dies. */
function mongoDeletions(collections: AuthCollections, writer: SessionWriter): DeletionStore {
  const { accounts } = collections;
  return {
    async deleteAccount(id, ownedServers, at) {
      const { modifiedCount } = await accounts.updateOne(
        { _id: id, state: { $ne: "deleted" } },
        {
          $set: {
            state: "deleted",
            closing: true,
            displayName: "",
            passwordHash: "",
            deletedAt: at,
            ownedServers,
            tellAt: at,
          },
          $inc: { version: 1 },
        },
      );
      if (modifiedCount === 0) return false;
      await finishClosing(collections, writer, { _id: id, state: "deleted" }, at);
      return true;
    },
    dueDeletions: async (now, limit) =>
      (
        await accounts
          .find({ tellAt: { $ne: null, $lte: now } })
          .sort({ tellAt: 1 })
          .limit(limit)
          .lean()
      ).map(({ _id: userId, ownedServers, deletedAt }) => ({
        userId,
        ownedServers: ownedServers === "delete" ? "delete" : "transfer",
        deletedAt: deletedAt ?? now,
      })),
    async scheduleDeletion(userId, at) {
      await accounts.updateOne({ _id: userId }, { $set: { tellAt: at } });
    },
  };
}

const mongoTraces = ({ addresses, sessions }: AuthCollections): TraceStore => ({
  listAddresses: async (accountId) =>
    (await addresses.find({ accountId }).sort({ lastLoginAt: -1 }).lean()).map(
      ({ addressBlock, lastLoginAt }) => ({ addressBlock, lastLoginAt }),
    ),
  listAllSessions: async (accountId) =>
    (await sessions.find({ accountId, pending: false }).sort({ createdAt: 1, _id: 1 }).lean()).map(
      ({ _id: id, tokenHash: _, announced: __, pending: ___, ...rest }) => ({ id, ...rest }),
    ),
});

export const mongoPeople = (collections: AuthCollections, writer: SessionWriter): PeopleStore => ({
  ...mongoBlocks(collections),
  ...mongoReports(collections),
  ...mongoDeletions(collections, writer),
  ...mongoTraces(collections),
});
