import { deviceTokenSchema } from "@hearth/contracts";
import type { DeviceToken } from "@hearth/contracts";
import type { Sqlite } from "@hearth/runtime";
import { callsOf, columnsOf } from "@hearth/runtime";
import { text } from "../../domain/records.ts";
import type { DeviceTokenStore } from "../../domain/store.ts";

const storedDeviceToken = deviceTokenSchema.extend({ accountId: text, sessionId: text });

const LIVE = "s.ended_at IS NULL AND s.expires_at > :now";

const prepared = (db: Sqlite) => ({
  list: db.statement(`
    SELECT ${columnsOf(deviceTokenSchema).select("d")}
    FROM device_tokens d JOIN sessions s ON s.id = d.session_id
    WHERE d.account_id = :accountId AND ${LIVE} ORDER BY d.device_id`),
  sessionLives: db.statement(`
    SELECT 1 FROM sessions s WHERE s.id = :sessionId AND s.account_id = :accountId AND ${LIVE}`),
  countOthers: db.statement(`
    SELECT count(*) AS others FROM device_tokens d JOIN sessions s ON s.id = d.session_id
    WHERE d.account_id = :accountId AND d.device_id <> :deviceId AND ${LIVE}`),
  put: db.statement(`
    INSERT INTO device_tokens ${columnsOf(storedDeviceToken).insert}
    ON CONFLICT DO UPDATE SET session_id = excluded.session_id, platform = excluded.platform,
      token = excluded.token, updated_at = excluded.updated_at
    WHERE excluded.updated_at >= updated_at`),
  remove: db.statement("DELETE FROM device_tokens WHERE account_id = ? AND device_id = ?"),
});

export function sqliteDeviceTokens(db: Sqlite): DeviceTokenStore {
  const sql = prepared(db);
  const { query, transaction } = callsOf(db);
  return {
    listDeviceTokens: query((accountId, now) => sql.list.all({ accountId, now }) as unknown as DeviceToken[]),

    putDeviceToken: transaction((accountId, sessionId, token, limit) => {
      const { deviceId, updatedAt: now } = token;
      if (sql.sessionLives.get({ sessionId, accountId, now }) === undefined) return "session_ended";
      if (Number(sql.countOthers.get({ accountId, deviceId, now })?.["others"]) >= limit) return "too_many";
      const { changes } = sql.put.run({ accountId, sessionId, ...token });
      return changes === 1 ? "stored" : "newer_stored";
    }),

    deleteDeviceToken: query((accountId, deviceId) => sql.remove.run(accountId, deviceId).changes === 1),
  };
}
