import type { SessionEndReason } from "@hearth/contracts";
import { isRefusedByServer, mongoFields, mongoSchema } from "@hearth/runtime/network";
import type { Log } from "@hearth/runtime";
import type { Mongo } from "@hearth/runtime/network";
import { operatorSchemas } from "./operator-collections.mongo.ts";
import { peopleSchemas } from "./people-collections.mongo.ts";
import type { AccountState } from "../../domain/records.ts";

export interface AccountDocument {
  readonly _id: string;
  readonly username: string;
  readonly foldedName: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly createdAt: number;
  readonly version: number;
  /** Missing in documents of older versions, which are active. */
  readonly state?: AccountState;
  /** The account was suspended or deleted, and what follows from it may not be done yet. */
  readonly closing?: boolean;
  readonly deletedAt?: number | null;
  readonly ownedServers?: string | null;
  readonly tellAt?: number | null;
}

export interface SessionDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly deviceName: string | null;
  readonly endedAt: number | null;
  readonly endReason: SessionEndReason | null;
  readonly announced: boolean;
  /** Written, but not yet in force: what it depends on is being looked at once more. */
  readonly pending: boolean;
}

export interface AddressDocument {
  /** `<account id> <address block>` */
  readonly _id: string;
  readonly accountId: string;
  readonly addressBlock: string;
  readonly lastLoginAt: number;
}

export interface DeviceTokenDocument {
  /** `<account id> <device id>` */
  readonly _id: string;
  readonly accountId: string;
  readonly deviceId: string;
  readonly sessionId: string;
  readonly platform: string;
  readonly token: string;
  readonly updatedAt: number;
}

/** A change of a password that is under way, so that its last step is taken even if whoever began it died. */
export interface PasswordChangeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly passwordHash: string;
  readonly keepSessionId: string;
  readonly at: number;
}

export interface SigningKeyDocument {
  readonly _id: string;
  readonly x: string;
  readonly expiresAt: number;
  /** The same moment as a date, for the TTL index. */
  readonly forgetAt: Date;
}

const { text, number, flag, date, textOrNull, numberOrNull } = mongoFields;

const accounts = mongoSchema<AccountDocument>("accounts", {
  username: text,
  foldedName: text,
  displayName: text,
  passwordHash: text,
  createdAt: number,
  version: number,
  state: { type: String, default: "active" },
  closing: { type: Boolean, default: false },
  deletedAt: numberOrNull,
  ownedServers: textOrNull,
  tellAt: numberOrNull,
})
  .index({ foldedName: 1 }, { unique: true })
  .index({ closing: 1 })
  .index({ tellAt: 1 });

const sessions = mongoSchema<SessionDocument>("sessions", {
  accountId: text,
  tokenHash: text,
  createdAt: number,
  lastUsedAt: number,
  expiresAt: number,
  ip: text,
  userAgent: textOrNull,
  deviceName: textOrNull,
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
  accountId: text,
  addressBlock: text,
  lastLoginAt: number,
}).index({ lastLoginAt: 1 });

const deviceTokens = mongoSchema<DeviceTokenDocument>("device_tokens", {
  accountId: text,
  deviceId: text,
  sessionId: text,
  platform: text,
  token: text,
  updatedAt: number,
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
  x: text,
  expiresAt: number,
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
 * The schema as it has to be before anything is asked; repeating it is harmless. The TTL index only saves housekeeping
 * its work, since every question looks at `expiresAt` itself: a server that knows no such index will do.
 */
export async function createIndexes({ signingKeys, ...others }: AuthCollections, log: Log): Promise<void> {
  for (const model of Object.values(others)) await model.createIndexes();
  try {
    await signingKeys.createIndexes();
  } catch (error) {
    if (!isRefusedByServer(error)) throw error;
    log.warn(
      { collection: "signing_keys" },
      "the server has no TTL indexes; housekeeping removes what is old",
    );
  }
}
