import type { Sqlite } from "@hearth/runtime";
import { callsOf } from "@hearth/runtime";
import type { SigningKeyStore } from "../../domain/store.ts";
import type { SigningKeyRecord } from "../../domain/records.ts";

export function sqliteSigningKeys(db: Sqlite): SigningKeyStore {
  const { query } = callsOf(db);
  const add = db.statement("INSERT INTO signing_keys (kid, x, expires_at) VALUES (:kid, :x, :expiresAt)");
  const live = db.statement(`
    SELECT kid, x, expires_at AS expiresAt FROM signing_keys WHERE expires_at > ? ORDER BY expires_at`);
  const forget = db.statement("DELETE FROM signing_keys WHERE expires_at < ?");
  return {
    addSigningKey: query((key) => void add.run({ ...key })),
    signingKeys: query((now) => live.all(now) as unknown as SigningKeyRecord[]),
    forgetSigningKeys: query((expiredBefore) => void forget.run(expiredBefore)),
  };
}
