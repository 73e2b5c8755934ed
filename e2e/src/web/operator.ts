import { createHash, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunningServer } from "../server/process.ts";

const HOUR_MS = 3_600_000;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Records as an operator's tool writes them to a running server's database, with codes as hashes. */
export class Operator implements Disposable {
  private readonly db: DatabaseSync;

  constructor({ dataDir }: Pick<RunningServer, "dataDir">) {
    this.db = new DatabaseSync(join(dataDir, "auth.db"), { timeout: 5_000 });
  }

  /** An invitation to register a number of accounts. */
  invite(uses = 1): string {
    const code = randomBytes(24).toString("base64url");
    this.db
      .prepare(
        `INSERT INTO invitations (id, code_hash, max_uses, remaining, created_at, created_by, expires_at, revoked_at)
         VALUES (?, ?, ?, ?, ?, 'operator', NULL, NULL)`,
      )
      .run(randomUUID(), sha256(code), uses, uses, Date.now());
    return code;
  }

  /** A one-time password reset. */
  reset(accountId: string): string {
    const code = randomBytes(24).toString("base64url");
    this.db
      .prepare("INSERT INTO reset_codes (account_id, code_hash, created_at, expires_at) VALUES (?, ?, ?, ?)")
      .run(accountId, sha256(code), Date.now(), Date.now() + HOUR_MS);
    return code;
  }

  /** The reports about a user. */
  reportsOf(accountId: string): readonly { readonly reason: string; readonly quotedText: string | null }[] {
    return this.db
      .prepare(
        'SELECT reason, quoted_text AS "quotedText" FROM reports WHERE user_id = ? ORDER BY created_at',
      )
      .all(accountId) as unknown as readonly {
      readonly reason: string;
      readonly quotedText: string | null;
    }[];
  }

  [Symbol.dispose](): void {
    this.db.close();
  }
}
