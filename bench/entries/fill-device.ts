import { writeFileSync } from "node:fs";
import { BLANK_MESSAGE } from "@hearth/device";
import type { DeviceRoom, NewMessage } from "@hearth/device";
import { openDeviceStore } from "@hearth/store/sqlite";
import { createLog } from "@hearth/runtime";

/**
 * `fill-device.ts DATABASE COUNT FACTS`: writes a server with COUNT messages through the app's own writer, in batches
 * as large as in a sync of devices, edits some of them, and writes facts about the data to a file. The same arguments
 * make the same records.
 */
const [file = "", count = "", facts = ""] = process.argv.slice(2);
const MESSAGES = Number(count);
const BATCH = 1_000;
const CHANGES = 100;
const STARTED_AT = Date.UTC(2025, 0, 1);
const PAUSE_MS = 31_000;
const DAY_MS = 86_400_000;

/** UUIDs in random order, like those of devices: each half of the bits is a number mixed with its own constants. */
function uuidOf(number: number): string {
  const mixed = (seed: number): string => {
    let bits = Math.imul(number ^ seed, 0x9e3779b1);
    bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0).toString(16).padStart(8, "0");
  };
  const hex = [1, 2, 3, 4].map((part) => mixed(part << 24)).join("");
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(13, 16),
    hex.slice(17, 20),
    hex.slice(20),
  ];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

const roomId = uuidOf(-1);
const people = Array.from({ length: 25 }, (_, index) => ({
  id: uuidOf(-2 - index),
  name: `Person ${index}`,
}));
const channels = ["general", "plans"].map((name, position) => ({
  id: uuidOf(-100 - position),
  name,
  kind: "text" as const,
  position,
}));

const WORDS =
  "The bread is in the oven, café at nine – bring the map and “everything” else you can think of 🔥 ";
/** Repeats every 50 messages, so that all pages have the same size. */
const LENGTHS = Array.from({ length: 50 }, (_, index) =>
  index % 10 === 0 ? 400 : 12 + ((index * 37) % 120),
);
const TEXTS = LENGTHS.map((length) =>
  WORDS.repeat(Math.ceil(length / WORDS.length))
    .slice(0, length)
    .trim(),
);
const textOf = (index: number): string => TEXTS[index % TEXTS.length] ?? "";

const room: DeviceRoom = {
  id: roomId,
  kind: "server",
  name: "Bench",
  description: "",
  signalServerUrl: "http://127.0.0.1:1",
  actorUserId: people[0]?.id ?? "",
  iconHash: null,
  tags: [],
  visibility: "private",
  ownerId: people[0]?.id ?? "",
  peerUserId: null,
  role: "owner",
  channels,
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  createdAt: STARTED_AT,
  joinedAt: STARTED_AT,
  updatedAt: STARTED_AT,
};

function messageOf(index: number): NewMessage {
  const sender = people[(index * 7) % people.length];
  return {
    ...BLANK_MESSAGE,
    id: uuidOf(index),
    roomId,
    channelId: channels[index % channels.length]?.id ?? null,
    senderId: sender?.id ?? "",
    senderDisplayName: sender?.name ?? "",
    content: textOf(index),
    replyToId: index % 10 === 5 ? uuidOf(index - 1) : null,
    mentions: index % 25 === 3 ? [people[1]?.id ?? ""] : [],
    // Two of ten have the same millisecond.
    timestamp: STARTED_AT + PAUSE_MS * (index % 10 === 9 ? index - 1 : index),
    delivery: "sent",
  };
}

let now = STARTED_AT + PAUSE_MS * MESSAGES;
const log = createLog({ name: "fill", level: "error" });
const store = openDeviceStore({ file, log, clock: { now: () => now } });
await store.writer.saveRooms([room]);
let seconds = 0;
for (let first = 0; first < MESSAGES; first += BATCH) {
  const size = Math.min(BATCH, MESSAGES - first);
  const batch = Array.from({ length: size }, (_, index) => messageOf(first + index));
  const startedAt = performance.now();
  await store.writer.saveMessages(batch);
  seconds += (performance.now() - startedAt) / 1000;
}
now += DAY_MS;
const sinceTimestamp = now - 1;
for (let change = 0; change < CHANGES; change += 1) {
  const index = Math.floor((change * MESSAGES) / CHANGES);
  const edit = { messageId: uuidOf(index), roomId, content: textOf(index), revision: 1, editedAt: now };
  await store.writer.editMessages([edit]);
}
store.close();
const written = {
  roomId,
  messages: MESSAGES,
  sinceTimestamp,
  changes: CHANGES,
  perSecond: MESSAGES / seconds,
};
writeFileSync(facts, `${JSON.stringify(written)}\n`);
