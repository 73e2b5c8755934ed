import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { recordedLog } from "@hearth/runtime/testing";
import { createDeviceApi } from "../../device-api.ts";
import type { DeviceRoom, NewMessage } from "@hearth/device";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import { openDeviceStore } from "@hearth/store/sqlite";

const id = (n: number): string => `0198c3a4-93d1-7a06-8c2b-${String(n).padStart(12, "0")}`;

export const ME = id(1);
export const ROOM = id(2);
const OTHER_ROOM = id(3);
export const START = 1_750_000_000_000;
const HOME = "https://talk.example.org";

const roomOf = (roomId: string, name: string): DeviceRoom => ({
  id: roomId,
  kind: "server",
  name,
  description: "",
  signalServerUrl: HOME,
  actorUserId: ME,
  iconHash: null,
  tags: [],
  visibility: "public",
  ownerId: ME,
  peerUserId: null,
  role: "owner",
  channels: [],
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  createdAt: START,
  joinedAt: START,
  updatedAt: START,
});

export const messageOf = (n: number, content: string, roomId = ROOM): NewMessage => ({
  id: id(1_000 + n),
  roomId,
  channelId: null,
  senderId: ME,
  senderDisplayName: "Ada",
  content,
  replyToId: null,
  mentions: [],
  timestamp: START + n * 60_000,
  delivery: "sent",
  clientInstanceId: null,
});

const attachmentOf = (n: number, filename: string) => ({
  id: id(9_000 + n),
  messageId: messageOf(n, "").id,
  roomId: ROOM,
  filename,
  size: 1_000 + n,
  mime: "text/plain",
  hash: "ab".repeat(32),
  localPath: null,
  createdAt: START + n * 60_000,
});

async function fill({ writer }: ReturnType<typeof openDeviceStore>): Promise<void> {
  const me = {
    id: ME,
    username: "ada",
    displayName: "Ada",
    avatarHash: null,
    avatarMime: null,
    cardText: "",
  };
  await writer.saveProfile({ ...me, homeSignalServerUrl: HOME, updatedAt: START });
  await writer.saveUsers([{ ...me, signalServerUrl: HOME, updatedAt: START }]);
  await writer.saveRooms([roomOf(ROOM, "Reading circle"), roomOf(OTHER_ROOM, "Kitchen")]);
  await writer.saveMessages(
    Array.from({ length: 1_203 }, (_item, n) =>
      messageOf(n, n % 400 === 7 ? `Grüße 🌿 "${n}"\nand a line` : `Number ${n}`),
    ),
  );
  await writer.saveMessages([messageOf(5_000, "Tea & GRÜSSE", OTHER_ROOM)]);
  await writer.editMessages([
    { messageId: messageOf(3, "").id, roomId: ROOM, content: "Mended", revision: 1, editedAt: START + 1 },
  ]);
  await writer.removeMessages([{ messageId: messageOf(4, "").id, roomId: ROOM, deletedAt: START + 2 }]);
  await writer.saveAttachments([attachmentOf(1, 'a "quoted", name.txt'), attachmentOf(2, "Größe.txt")]);
}

/** An instance with one account. */
async function startUpstream() {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const right = text === JSON.stringify({ username: "ada", password: 'long "password" ü' });
      const credential = { id: ME, username: "ada", displayName: "Ada", token: "ab".repeat(32) };
      response.writeHead(right ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(right ? { ...credential, expiresAt: START * 2 } : {}));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A device with some messages, its local API on a free port, and a token. */
export async function startDevice() {
  const folder = mkdtempSync(path.join(tmpdir(), "hearth-recipes-"));
  const { log } = recordedLog();
  const database = path.join(folder, "device.sqlite");
  const store = openDeviceStore({ file: database, log });
  await fill(store);
  const upstream = await startUpstream();
  const settings = {
    ...DEFAULT_LOCAL_API_SETTINGS,
    enabled: true,
    port: 0,
    allowedSignalingServers: [upstream.url],
  };
  const api = createDeviceApi({ database, built: folder, version: "1.2.3", settings: () => settings, log });
  const { urls } = await api.server.apply(settings);
  const { token } = api.access.issue({
    userId: ME,
    username: "ada",
    serverUrl: upstream.url,
    remoteAddress: "127.0.0.1",
    userAgent: null,
  });
  return {
    folder,
    writer: store.writer,
    reader: store.reader,
    url: urls[0] ?? "",
    serverUrl: upstream.url,
    token,
    async close() {
      await api.server.stop();
      api.close();
      store.close();
      await upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Device = Awaited<ReturnType<typeof startDevice>>;
