import type { AccessRequest, Invite } from "@hearth/contracts";
import type { SqliteCalls } from "@hearth/runtime";
import { BAN } from "./bans.sqlite.ts";
import { INVITE } from "./invites.sqlite.ts";
import { REQUEST } from "./requests.sqlite.ts";
import type { BanRecord } from "../../domain/records.ts";
import type { AccountStore } from "../../domain/store.ts";

export function sqliteAccounts({ prepare, query, transaction }: SqliteCalls): AccountStore {
  const requests = prepare(
    `SELECT ${REQUEST} FROM requests WHERE user_id = ? ORDER BY created_at, id LIMIT ?`,
  );
  const invites = prepare(
    `SELECT ${INVITE} FROM invites i WHERE i.created_by = ? ORDER BY i.created_at LIMIT ?`,
  );
  const bans = prepare(`SELECT ${BAN} FROM bans WHERE user_id = ? ORDER BY created_at LIMIT ?`);
  const deletions = [
    prepare("DELETE FROM requests WHERE user_id = ?"),
    prepare("DELETE FROM invites WHERE created_by = ?"),
    prepare("DELETE FROM bans WHERE user_id = ?"),
  ];
  return {
    records: query((userId, limit) => ({
      requests: requests.all(userId, limit) as unknown as AccessRequest[],
      invites: invites.all(userId, limit) as unknown as Invite[],
      bans: bans.all(userId, limit) as unknown as BanRecord[],
    })),
    forget: transaction((userId) => {
      for (const statement of deletions) statement.run(userId);
    }),
  };
}
