import { dialPlain, login, openDevice } from "../client/index.ts";

const BATCH = 200;

/** Lets another device of the account send this many messages to the online devices: `line 0`, `line 1` and so on. */
export async function handOver(
  url: string,
  username: string,
  place: { readonly roomId: string; readonly channelId: string },
  count: number,
): Promise<void> {
  const account = await login(url, username);
  const { id: senderId, displayName: senderDisplayName } = account;
  const device = await openDevice(dialPlain, url, account);
  const { clientInstanceId } = device;
  const at = Date.now() - count * 1_000;
  const messageOf = (n: number) => ({
    ...{ id: crypto.randomUUID(), ...place, senderId, senderDisplayName, content: `line ${n}` },
    ...{ timestamp: at + n * 1_000, replyToId: null, mentions: [], clientInstanceId },
  });
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    const messages = Array.from({ length }, (_, index) => messageOf(from + index));
    const { roomId } = place;
    const payload = { type: "chat-sync-batch", roomId, messages, attachments: {}, final: false };
    await device.ask({ type: "account_sync", clientInstanceId, payload });
  }
  await device.close();
}

/** The channel in an address of the client. */
export function placeAt(address: string): { readonly roomId: string; readonly channelId: string } {
  const [, roomId, channelId] = /\/rooms\/([^/]+)\/([^/?#]+)/u.exec(address) ?? [];
  if (roomId === undefined || channelId === undefined) throw new Error(`${address} shows no channel`);
  return { roomId, channelId };
}
