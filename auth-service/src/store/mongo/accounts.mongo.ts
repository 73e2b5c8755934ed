import { ProblemError } from "@hearth/contracts";
import { newId, pickFields } from "@hearth/runtime";
import { isDuplicateKey } from "@hearth/runtime/network";
import type { AccountDocument, AuthCollections } from "./collections.mongo.ts";
import type { SessionWriter } from "./session-writer.mongo.ts";
import type { AccountStore, ImportMode, ImportOutcome } from "../../domain/store.ts";
import { accountRecord } from "../../domain/records.ts";
import type { AccountRecord } from "../../domain/records.ts";

const documentOf = ({ id, ...rest }: AccountRecord): AccountDocument => ({ _id: id, ...rest });

export const recordOf = ({ _id: id, state = "active", ...rest }: AccountDocument): AccountRecord =>
  pickFields(accountRecord, { id, state, ...rest });

const found = (document: AccountDocument | null): AccountRecord | null => document && recordOf(document);

/** False when the name or the id is taken. */
async function insert({ accounts }: AuthCollections, account: AccountRecord): Promise<boolean> {
  try {
    await accounts.create([documentOf(account)]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function takenField({ accounts }: AuthCollections, account: AccountRecord) {
  if (await accounts.exists({ foldedName: account.foldedName })) return "username";
  return (await accounts.exists({ _id: account.id })) ? "id" : undefined;
}

/** MongoDB has no transactions here, so `all` deletes the rows it wrote when a later row is refused. */
async function importAll(
  collections: AuthCollections,
  rows: readonly AccountRecord[],
  mode: ImportMode,
): Promise<ImportOutcome> {
  const taken: { index: number; field: "username" | "id" }[] = [];
  const free: AccountRecord[] = [];
  for (const [index, row] of rows.entries()) {
    const field = await takenField(collections, row);
    if (field) taken.push({ index, field });
    else free.push(row);
  }
  if (mode === "none" || (mode === "all" && taken.length > 0)) return { imported: 0, taken };
  const written: string[] = [];
  for (const row of free) {
    if (await insert(collections, row)) {
      written.push(row.id);
      continue;
    }
    taken.push({ index: rows.indexOf(row), field: (await takenField(collections, row)) ?? "username" });
    if (mode === "free") continue;
    await collections.accounts.deleteMany({ _id: { $in: written } });
    return { imported: 0, taken };
  }
  return { imported: written.length, taken };
}

/** Accounts in MongoDB. Each step is one conditional write, because a server without replicas has no transactions. */
export function mongoAccounts(collections: AuthCollections, sessions: SessionWriter): AccountStore {
  const { accounts, addresses, passwordChanges } = collections;
  const changed = async (update: Promise<{ readonly modifiedCount: number }>): Promise<boolean> =>
    (await update).modifiedCount === 1;
  return {
    async createAccount(account, session) {
      if (!(await insert(collections, account))) return false;
      try {
        if (!(await sessions.open(session, account.passwordHash))) throw new ProblemError("UNAVAILABLE");
      } catch (error) {
        await accounts.deleteOne({ _id: account.id });
        throw error;
      }
      return true;
    },
    findAccount: async (id) => found(await accounts.findById(id).lean()),
    findAccountByName: async (foldedName) => found(await accounts.findOne({ foldedName }).lean()),
    renameAccount: (id, version, displayName) =>
      changed(accounts.updateOne({ _id: id, version }, { $set: { displayName }, $inc: { version: 1 } })),
    replacePasswordHash: (id, from, to) =>
      changed(accounts.updateOne({ _id: id, passwordHash: from }, { $set: { passwordHash: to } })),
    async changePassword({ accountId, from, to, keepSessionId, at }) {
      if (!(await sessions.lives(keepSessionId, accountId, at))) return false;
      const filter = { _id: accountId, passwordHash: from };
      const change = { _id: newId(), accountId, passwordHash: to, keepSessionId, at };
      await passwordChanges.create([change]);
      const done = await changed(accounts.updateOne(filter, { $set: { passwordHash: to } }));
      // The hash first: a login that was checked against the old hash is either ended here or refused by `open`.
      if (done) await sessions.revokeOthers(accountId, keepSessionId, at);
      await passwordChanges.deleteOne({ _id: change._id });
      return done;
    },
    async knowsAddress(foldedName, addressBlock) {
      const account = await accounts.findOne({ foldedName }).lean();
      return account !== null && (await addresses.exists({ _id: `${account._id} ${addressBlock}` })) !== null;
    },
    importAccounts: (rows, mode) => importAll(collections, rows, mode),
  };
}
