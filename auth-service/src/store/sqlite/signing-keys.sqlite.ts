import type { Sqlite } from "@hearth/runtime";
import { callsOf, columnsOf } from "@hearth/runtime";
import type { SigningKeyStore } from "../../domain/store.ts";
import { signingKeyRecord } from "../../domain/records.ts";
import type { SigningKeyRecord } from "../../domain/records.ts";

export function sqliteSigningKeys(db: Sqlite): SigningKeyStore {
  const { query } = callsOf(db);
  const columns = columnsOf(signingKeyRecord);
  const add = db.statement(`INSERT INTO signing_keys ${columns.insert}`);
  const live = db.statement(
    `SELECT ${columns.select()} FROM signing_keys WHERE expires_at > ? ORDER BY expires_at`,
  );
  const forget = db.statement("DELETE FROM signing_keys WHERE expires_at < ?");
  return {
    addSigningKey: query((key) => void add.run({ ...key })),
    signingKeys: query((now) => live.all(now) as unknown as SigningKeyRecord[]),
    forgetSigningKeys: query((expiredBefore) => void forget.run(expiredBefore)),
  };
}
