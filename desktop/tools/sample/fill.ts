import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DeviceWriter } from "@hearth/store";
import type { SampleFile } from "./files.ts";
import type { SampleYear } from "./year.ts";

const DAY_MS = 86_400_000;

/** The clock of the store: the time at which the device received what is written next. */
export class StoryClock {
  #now = 0;

  now(): number {
    return this.#now;
  }

  moveTo(time: number): void {
    this.#now = time;
  }
}

export interface FillOptions {
  readonly writer: DeviceWriter;
  /** The writer's clock. */
  readonly clock: StoryClock;
  /** The folder for files that the device has. */
  readonly filesFolder: string;
}

/** The ends of offline periods: weeks at first, days at the end. */
function sittings(start: number, end: number): readonly number[] {
  const times: number[] = [];
  for (let at = start + 7 * DAY_MS; at < end - 28 * DAY_MS; at += 7 * DAY_MS) times.push(at);
  for (let at = (times.at(-1) ?? start) + DAY_MS; at < end; at += DAY_MS) times.push(at);
  return [...times, end];
}

function keep(file: SampleFile, folder: string): string | null {
  if (file.text === null) return null;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = path.join(folder, file.hash);
  writeFileSync(target, file.text, { mode: 0o600 });
  return target;
}

const attachmentOf = ({ text: _text, ...file }: SampleFile, localPath: string | null) => ({
  ...file,
  localPath,
});

async function fillPeople({ writer }: FillOptions, year: SampleYear): Promise<void> {
  await writer.saveProfile(year.profile);
  await writer.saveUsers(year.users);
  await writer.saveRooms(year.rooms);
  await writer.saveRoomUsers(year.memberships);
  await writer.saveFriends(year.friends);
  for (const credential of year.credentials) await writer.saveCredential(credential);
}

/** What the device received in one sitting, in order. */
async function fillHistory(options: FillOptions, year: SampleYear, from: number, to: number): Promise<void> {
  const { writer, filesFolder } = options;
  const between = <Item>(items: readonly Item[], timeOf: (item: Item) => number): Item[] =>
    items.filter((item) => timeOf(item) >= from && timeOf(item) < to);
  await writer.saveMessages(between(year.messages, ({ timestamp }) => timestamp));
  await writer.editMessages(between(year.edits, ({ editedAt }) => editedAt));
  await writer.removeMessages(between(year.removals, ({ deletedAt }) => deletedAt));
  await writer.changeReactions(between(year.reactions, ({ at }) => at));
  const files = between(year.files, ({ createdAt }) => createdAt);
  await writer.saveAttachments(files.map((file) => attachmentOf(file, keep(file, filesFolder))));
}

/** Writes the year into an empty store, like a device that is switched on now and then. */
export async function fillDevice(options: FillOptions, year: SampleYear, end: number): Promise<void> {
  const { writer, clock } = options;
  const start = year.messages[0]?.timestamp ?? end;
  clock.moveTo(start);
  await fillPeople(options, year);
  let from = start;
  for (const to of sittings(start, end)) {
    clock.moveTo(to);
    await fillHistory(options, year, from, to);
    from = to;
  }
  await writer.saveBans(year.bans);
  await writer.saveEmoji(year.emoji);
  await writer.savePluginData(year.pluginData);
  for (const [key, value] of Object.entries(year.meta)) await writer.setMeta(key, value);
}
