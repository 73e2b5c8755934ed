import { expect } from "@jest/globals";
import type { SessionEndReason } from "@hearth/contracts";
import { newId, sha256Hex } from "@hearth/runtime";
import type { AuthStore } from "../domain/store.ts";
import type { AccountRecord, SessionRecord } from "../domain/records.ts";

export const NOW = 1_700_000_000_000;
export const HOUR = 3_600_000;

let serial = 0;

export function anAccount(fields: Partial<AccountRecord> = {}): AccountRecord {
  const username = fields.username ?? `User_${(serial += 1)}`;
  return {
    id: newId(),
    username,
    foldedName: username.toLowerCase(),
    displayName: username,
    passwordHash: "hash 1",
    createdAt: NOW,
    version: 1,
    state: "active",
    ...fields,
  };
}

export function aSession(accountId: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: newId(),
    accountId,
    tokenHash: sha256Hex(`token ${(serial += 1)}`),
    createdAt: NOW,
    lastUsedAt: NOW,
    expiresAt: NOW + HOUR,
    ip: "203.0.113.7",
    addressBlock: "203.0.113.7",
    userAgent: "a browser",
    deviceName: null,
    ...fields,
  };
}

/** A new store for each test, with the records that most tests need. */
export interface StoreUnderTest {
  readonly store: AuthStore;
  readonly withAccount: (
    fields?: Partial<AccountRecord>,
  ) => Promise<{ account: AccountRecord; session: SessionRecord }>;
  readonly withSession: (account: AccountRecord, fields?: Partial<SessionRecord>) => Promise<SessionRecord>;
  /** Undefined for an unknown session, null for a valid one. */
  readonly endReason: (session: SessionRecord) => Promise<SessionEndReason | null | undefined>;
}

export function storeUnderTest(store: AuthStore): StoreUnderTest {
  return {
    store,
    withAccount: async (fields = {}) => {
      const account = anAccount(fields);
      const session = aSession(account.id);
      expect(await store.createAccount(account, session)).toBe(true);
      return { account, session };
    },
    withSession: async (account, fields = {}) => {
      const session = aSession(account.id, fields);
      expect(await store.createSession(session, account.passwordHash)).toBe(true);
      return session;
    },
    endReason: async (session) => (await store.findSession(session.tokenHash))?.endReason,
  };
}
