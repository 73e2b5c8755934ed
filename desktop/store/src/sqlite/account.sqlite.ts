import { ProblemError } from "@hearth/contracts";
import type { DeviceCredential, DeviceEmoji } from "@hearth/device";
import { isNewer } from "@hearth/device";
import { looksSecret } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { removalsOf } from "./database/removals.sqlite.ts";

const EMOJI = "SELECT id, shortcode, mime, hash, bytes, updated_at AS updatedAt FROM emoji";

const writing = ({ prepare }: WriterCalls) => ({
  emoji: prepare(`${EMOJI} WHERE id = ?`),
  putEmoji: prepare(`
    INSERT OR REPLACE INTO emoji (id, shortcode, mime, hash, bytes, updated_at)
    VALUES (:id, :shortcode, :mime, :hash, :bytes, :updatedAt)`),
  forgetEmoji: prepare("DELETE FROM emoji WHERE id = ?"),
  setMeta: prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (:key, :value)"),
  removeMeta: prepare("DELETE FROM meta WHERE key = ?"),
  saveCredential: prepare(`
    INSERT OR REPLACE INTO credentials (signal_server_url, user_id, username, display_name, expires_at,
      auto_provisioned, is_home)
    VALUES (:signalServerUrl, :userId, :username, :displayName, :expiresAt, :autoProvisioned, :isHome)`),
  endHome: prepare("UPDATE credentials SET is_home = 0 WHERE is_home = 1"),
  removeCredential: prepare("DELETE FROM credentials WHERE signal_server_url = ?"),
});

type AccountWriter = Pick<
  DeviceWriter,
  "saveEmoji" | "removeEmoji" | "setMeta" | "removeMeta" | "saveCredential" | "removeCredential"
>;

const SECRET_KEY = "This key names a secret, and secrets are not kept in the device's store";

export function accountWriter(db: WriterCalls): AccountWriter {
  const sql = writing(db);
  const removals = removalsOf(db);
  const emojiOf = (id: string): DeviceEmoji | undefined => {
    const row = sql.emoji.get(id) as DeviceEmoji | undefined;
    return row && { ...row };
  };
  return {
    saveEmoji: db.transaction((all) => {
      for (const { id, shortcode, mime, hash, bytes, updatedAt } of all) {
        if (!removals.admit("emoji", updatedAt, id)) continue;
        const arriving = { id, shortcode, mime, hash, bytes, updatedAt };
        const known = emojiOf(id);
        if (!known || isNewer(arriving, known)) sql.putEmoji.run({ ...arriving });
      }
    }),
    removeEmoji: db.transaction((id, at) => {
      if (removals.end("emoji", emojiOf(id)?.updatedAt, at, id)) sql.forgetEmoji.run(id);
    }),
    setMeta: db.transaction((key, value) => {
      if (looksSecret(key)) throw new ProblemError("INVALID_REQUEST", SECRET_KEY);
      sql.setMeta.run({ key, value });
    }),
    removeMeta: db.transaction((key) => void sql.removeMeta.run(key)),
    saveCredential: db.transaction((credential) => {
      const { signalServerUrl, userId, username, displayName, expiresAt } = credential;
      if (credential.isHome) sql.endHome.run();
      const flags = {
        autoProvisioned: Number(credential.autoProvisioned),
        isHome: Number(credential.isHome),
      };
      sql.saveCredential.run({ signalServerUrl, userId, username, displayName, expiresAt, ...flags });
    }),
    removeCredential: db.transaction((url) => void sql.removeCredential.run(url)),
  };
}

const reading = ({ prepare }: DeviceCalls) => ({
  emoji: prepare(`${EMOJI} ORDER BY shortcode, id`),
  meta: prepare("SELECT value FROM meta WHERE key = ?"),
  credentials: prepare(`
    SELECT signal_server_url AS signalServerUrl, user_id AS userId, username, display_name AS displayName,
      expires_at AS expiresAt, auto_provisioned AS autoProvisioned, is_home AS isHome
    FROM credentials ORDER BY is_home DESC, signal_server_url`),
});

type CredentialRow = Omit<DeviceCredential, "autoProvisioned" | "isHome"> & {
  readonly autoProvisioned: number;
  readonly isHome: number;
};

export function accountReader(db: DeviceCalls): Pick<DeviceReader, "emoji" | "meta" | "credentials"> {
  const sql = reading(db);
  return {
    emoji: db.query(() => sql.emoji.all().map((row) => ({ ...row })) as unknown as DeviceEmoji[]),
    meta: db.query((key) =>
      looksSecret(key) ? undefined : (sql.meta.get(key)?.["value"] as string | undefined),
    ),
    credentials: db.query(() =>
      (sql.credentials.all() as unknown as CredentialRow[]).map((row) => ({
        ...row,
        autoProvisioned: row.autoProvisioned === 1,
        isHome: row.isHome === 1,
      })),
    ),
  };
}
