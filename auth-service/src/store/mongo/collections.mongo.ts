import { deviceTokenSchema } from "@hearth/contracts";
import type { DeviceToken, SessionEndReason } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";
import { isRefusedByServer, mongoFields, mongoFieldsOf, mongoSchema } from "@hearth/runtime/network";
import type { Mongo, MongoDocument } from "@hearth/runtime/network";
import { operatorSchemas } from "./operator-collections.mongo.ts";
import { peopleSchemas } from "./people-collections.mongo.ts";
import { knownAddress } from "../../domain/people-store.ts";
import type { KnownAddress } from "../../domain/people-store.ts";
import { accountRecord, sessionRecord, signingKeyRecord } from "../../domain/records.ts";
import type { AccountRecord, AccountState, SessionRecord, SigningKeyRecord } from "../../domain/records.ts";

export interface AccountDocument extends MongoDocument<Omit<AccountRecord, "state">, "id"> {
  /** Missing in documents of older versions, which are active. */
  readonly state?: AccountState;
  /** The account was suspended or deleted, and the steps that follow may not be done yet. */
  readonly closing?: boolean;
  readonly deletedAt?: number | null;
  readonly ownedServers?: string | null;
  readonly tellAt?: number | null;
}

export interface SessionDocument extends MongoDocument<Omit<SessionRecord, "addressBlock">, "id"> {
  readonly endedAt: number | null;
  readonly endReason: SessionEndReason | null;
  readonly announced: boolean;
  /** A pending session: not valid until the account was checked again. */
  readonly pending: boolean;
}

/** `_id` is `<account id> <address block>`. */
export interface AddressDocument extends MongoDocument<KnownAddress> {
  readonly accountId: string;
}

/** `_id` is `<account id> <device id>`. */
export interface DeviceTokenDocument extends MongoDocument<DeviceToken> {
  readonly accountId: string;
  readonly sessionId: string;
}

/** A change of a password in progress. If its process dies, the sweep takes its last step. */
export interface PasswordChangeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly passwordHash: string;
  readonly keepSessionId: string;
  readonly at: number;
}

export interface SigningKeyDocument extends MongoDocument<SigningKeyRecord, "kid"> {
  /** `expiresAt` as a date, for the TTL index. */
  readonly forgetAt: Date;
}

const { text, number, flag, date, textOrNull, numberOrNull } = mongoFields;

const accounts = mongoSchema<AccountDocument>("accounts", {
  ...mongoFieldsOf(accountRecord.omit({ id: true })),
  closing: { type: Boolean, default: false },
  deletedAt: numberOrNull,
  ownedServers: textOrNull,
  tellAt: numberOrNull,
})
  .index({ foldedName: 1 }, { unique: true })
  .index({ closing: 1 })
  .index({ tellAt: 1 });

const sessions = mongoSchema<SessionDocument>("sessions", {
  ...mongoFieldsOf(sessionRecord.omit({ id: true, addressBlock: true })),
  endedAt: numberOrNull,
  endReason: textOrNull,
  announced: flag,
  pending: flag,
})
  .index({ tokenHash: 1 }, { unique: true })
  .index({ accountId: 1 })
  .index({ endReason: 1, expiresAt: 1 })
  .index({ announced: 1, endedAt: 1 });

const addresses = mongoSchema<AddressDocument>("account_addresses", {
  ...mongoFieldsOf(knownAddress),
  accountId: text,
}).index({ lastLoginAt: 1 });

const deviceTokens = mongoSchema<DeviceTokenDocument>("device_tokens", {
  ...mongoFieldsOf(deviceTokenSchema),
  accountId: text,
  sessionId: text,
})
  .index({ accountId: 1 })
  .index({ sessionId: 1 });

const passwordChanges = mongoSchema<PasswordChangeDocument>("password_changes", {
  accountId: text,
  passwordHash: text,
  keepSessionId: text,
  at: number,
});

const signingKeys = mongoSchema<SigningKeyDocument>("signing_keys", {
  ...mongoFieldsOf(signingKeyRecord.omit({ kid: true })),
  forgetAt: date,
}).index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export const collectionsOf = ({ connection }: Mongo) => ({
  accounts: connection.model("Account", accounts),
  sessions: connection.model("Session", sessions),
  addresses: connection.model("Address", addresses),
  deviceTokens: connection.model("DeviceToken", deviceTokens),
  passwordChanges: connection.model("PasswordChange", passwordChanges),
  signingKeys: connection.model("SigningKey", signingKeys),
  blocks: connection.model("Block", peopleSchemas.blocks),
  reports: connection.model("Report", peopleSchemas.reports),
  invitations: connection.model("Invitation", operatorSchemas.invitations),
  invitationUses: connection.model("InvitationUse", operatorSchemas.invitationUses),
  resetCodes: connection.model("ResetCode", operatorSchemas.resetCodes),
  auditLog: connection.model("AuditEntry", operatorSchemas.auditLog),
});

export type AuthCollections = ReturnType<typeof collectionsOf>;

/**
 * Creates the indexes that the store needs before its first query; safe to repeat. The TTL index is optional, because
 * every query compares `expiresAt` itself.
 */
export async function createIndexes({ signingKeys, ...others }: AuthCollections, log: Log): Promise<void> {
  for (const model of Object.values(others)) await model.createIndexes();
  try {
    await signingKeys.createIndexes();
  } catch (error) {
    if (!isRefusedByServer(error)) throw error;
    log.warn(
      { collection: "signing_keys" },
      "the server has no TTL indexes; housekeeping removes expired keys",
    );
  }
}
