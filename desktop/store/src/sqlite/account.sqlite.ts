import { ProblemError } from "@hearth/contracts";
import type { DeviceCredential, DeviceEmoji } from "@hearth/device";
import { copyOf, credentialSchema, emojiSchema, isNewer, looksSecret } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { removalsOf } from "./database/removals.sqlite.ts";
import { Table } from "./database/table.sqlite.ts";

const EMOJIS = new Table<DeviceEmoji>("emoji", emojiSchema);
const EMOJI = `SELECT ${EMOJIS.select()} FROM emoji`;
const CREDENTIALS = new Table<DeviceCredential>("credentials", credentialSchema);

const copyOfEmoji = copyOf<DeviceEmoji>(emojiSchema);

const writing = ({ prepare }: WriterCalls) => ({
  emoji: prepare(`${EMOJI} WHERE id = ?`),
  putEmoji: prepare(`INSERT OR REPLACE ${EMOJIS.into()}`),
  forgetEmoji: prepare("DELETE FROM emoji WHERE id = ?"),
  setMeta: prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (:key, :value)"),
  removeMeta: prepare("DELETE FROM meta WHERE key = ?"),
  saveCredential: prepare(`INSERT OR REPLACE ${CREDENTIALS.into()}`),
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
    const row = sql.emoji.get(id);
    return row && EMOJIS.record(row);
  };
  return {
    saveEmoji: db.transaction((all) => {
      for (const emoji of all) {
        if (!removals.admit("emoji", emoji.updatedAt, emoji.id)) continue;
        const arriving = copyOfEmoji(emoji);
        const known = emojiOf(emoji.id);
        if (!known || isNewer(arriving, known)) sql.putEmoji.run(EMOJIS.row(arriving));
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
      if (credential.isHome) sql.endHome.run();
      sql.saveCredential.run(CREDENTIALS.row(credential));
    }),
    removeCredential: db.transaction((url) => void sql.removeCredential.run(url)),
  };
}

const reading = ({ prepare }: DeviceCalls) => ({
  emoji: prepare(`${EMOJI} ORDER BY shortcode, id`),
  meta: prepare("SELECT value FROM meta WHERE key = ?"),
  credentials: prepare(`
    SELECT ${CREDENTIALS.select()} FROM credentials ORDER BY is_home DESC, signal_server_url`),
});

export function accountReader(db: DeviceCalls): Pick<DeviceReader, "emoji" | "meta" | "credentials"> {
  const sql = reading(db);
  return {
    emoji: db.query(() => sql.emoji.all().map((row) => EMOJIS.record(row))),
    meta: db.query((key) =>
      looksSecret(key) ? undefined : (sql.meta.get(key)?.["value"] as string | undefined),
    ),
    credentials: db.query(() => sql.credentials.all().map((row) => CREDENTIALS.record(row))),
  };
}
