import { newId } from "@hearth/runtime";
import { isDuplicateKey } from "@hearth/runtime/network";
import { recordOf } from "./accounts.mongo.ts";
import type { AuthCollections } from "./collections.mongo.ts";
import { finishClosing } from "./closings.mongo.ts";
import { ACTIVE } from "./session-writer.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import type {
  AuditStore,
  InvitationStore,
  OperatorStore,
  ResetStore,
  SuspensionStore,
} from "../../domain/operator-store.ts";

function mongoInvitations({ invitations, invitationUses }: AuthCollections): InvitationStore {
  const usable = (codeHash: string, at: number) =>
    invitations
      .findOne({ codeHash, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] })
      .lean();
  const used = (codeHash: string): Promise<number> => invitationUses.countDocuments({ codeHash }).exec();
  const use = async (codeHash: string, number: number): Promise<boolean> => {
    try {
      await invitationUses.create([{ _id: `${codeHash} ${number}`, codeHash }]);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  return {
    async addInvitation({ id, remaining: _, ...rest }) {
      await invitations.create([{ _id: id, ...rest }]);
    },
    async listInvitations(limit) {
      const found = await invitations.find().sort({ createdAt: -1, _id: -1 }).limit(limit).lean();
      return Promise.all(
        found.map(async ({ _id: id, ...rest }) => ({
          ...{ id, ...rest },
          remaining: rest.maxUses - (await used(rest.codeHash)),
        })),
      );
    },
    revokeInvitation: async (id, at) =>
      (await invitations.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: at } }))
        .modifiedCount === 1,
    async isInvitationUsable(codeHash, at) {
      const invitation = await usable(codeHash, at);
      return invitation !== null && (await used(codeHash)) < invitation.maxUses;
    },
    async takeInvitation(codeHash, at) {
      const maxUses = (await usable(codeHash, at))?.maxUses ?? 0;
      for (let number = 1; number <= maxUses; number += 1) if (await use(codeHash, number)) return true;
      return false;
    },
    async returnInvitation(codeHash) {
      await invitationUses.deleteOne({ codeHash });
    },
  };
}

function mongoResets(collections: AuthCollections, writer: SessionWriter): ResetStore {
  const { accounts, passwordChanges, resetCodes } = collections;
  return {
    async putResetCode(code) {
      await resetCodes.updateOne({ _id: code.accountId }, { $set: { ...code } }, { upsert: true });
    },
    findResetCode: async (codeHash, at) =>
      (await resetCodes.findOne({ codeHash, expiresAt: { $gt: at } }).lean())?.accountId ?? null,
    /** Deletes the code first: it works only once, even if this process dies before the next step. */
    async resetPassword({ codeHash, accountId, to, session, at }) {
      const used = await resetCodes.deleteOne({ _id: accountId, codeHash, expiresAt: { $gt: at } });
      if (used.deletedCount === 0) return false;
      const change = { _id: newId(), accountId, passwordHash: to, keepSessionId: session.id, at };
      await passwordChanges.create([change]);
      const filter = { _id: accountId, ...ACTIVE };
      const { modifiedCount } = await accounts.updateOne(filter, { $set: { passwordHash: to } });
      if (modifiedCount === 1) await writer.revokeAll(accountId, at);
      const opened = modifiedCount === 1 && (await writer.open(session, to));
      await passwordChanges.deleteOne({ _id: change._id });
      return opened;
    },
  };
}

/** Append-only: no code changes or removes an entry. */
const mongoAudit = ({ auditLog }: AuthCollections): AuditStore => ({
  async appendAudit({ id, ...rest }) {
    await auditLog.create([{ _id: id, ...rest }]);
  },
  listAudit: async (limit) =>
    (await auditLog.find().sort({ at: -1, _id: -1 }).limit(limit).lean()).map(({ _id: id, ...rest }) => ({
      id,
      ...rest,
    })),
});

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function mongoSuspensions(collections: AuthCollections, writer: SessionWriter): SuspensionStore {
  const { accounts } = collections;
  return {
    searchAccounts: async (text, limit) =>
      (
        await accounts
          .find({ $or: [{ _id: text }, { foldedName: { $regex: literally(text) } }] })
          .sort({ foldedName: 1 })
          .limit(limit)
          .lean()
      ).map(recordOf),
    async suspendAccount(id, at) {
      const change = { $set: { state: "suspended" as const, closing: true } };
      if ((await accounts.updateOne({ _id: id, ...ACTIVE }, change)).modifiedCount === 0) return false;
      await finishClosing(collections, writer, { _id: id, state: "suspended" }, at);
      return true;
    },
    unsuspendAccount: async (id) =>
      (await accounts.updateOne({ _id: id, state: "suspended" }, { $set: { state: "active" } }))
        .modifiedCount === 1,
  };
}

export const mongoOperator = (collections: AuthCollections, writer: SessionWriter): OperatorStore => ({
  ...mongoInvitations(collections),
  ...mongoResets(collections, writer),
  ...mongoAudit(collections),
  ...mongoSuspensions(collections, writer),
});
