import { randomUUID } from "node:crypto";
import type { Credential } from "@hearth/contracts";
import type { Browser, BrowserContext } from "playwright-core";

const BATCH = 200;
const CHANNEL_LINK = "nav a[aria-current=page]";

const WORDS = "tea kettle window garden letter winter boat music morning bread river lamp paper stone".split(
  " ",
);

const textOf = (n: number): string =>
  Array.from({ length: 4 + ((n * 7) % 30) }, (_, index) => WORDS[(n * 3 + index * 5) % WORDS.length]).join(
    " ",
  );

/** A browser with a signed-in account. */
export async function signedIn(browser: Browser, url: string, account: Credential): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { id, username, displayName, token, expiresAt } = account;
  const credential = { userId: id, username, displayName, token, expiresAt, autoProvisioned: false };
  const stored = {
    "app.authTokens": JSON.stringify({ [url]: token }),
    "app.signalServerCredentials": JSON.stringify({ [url]: credential }),
    app_currentUserId: id,
    homeSignalServerUrl: url,
  };
  await context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  return context;
}

const batchOf = (
  account: Credential,
  roomId: string,
  channelId: string,
  from: number,
  to: number,
  at: number,
) =>
  Array.from({ length: to - from }, (_, index) => ({
    id: randomUUID(),
    roomId,
    channelId,
    senderId: account.id,
    senderDisplayName: account.displayName,
    content: `${from + index} ${textOf(from + index)}`,
    timestamp: at + (from + index) * 30_000,
    replyToId: null,
    mentions: [],
    clientInstanceId: randomUUID(),
  }));

/** Lets another device of the account send this many messages, and waits until the page's device has them all. */
export async function fillRoom(
  context: BrowserContext,
  url: string,
  account: Credential,
  room: { readonly id: string; readonly channelId: string },
  count: number,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/rooms/${room.id}/${room.channelId}`);
  await page.locator(CHANNEL_LINK).first().waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const clientInstanceId = randomUUID();
  socket.send(JSON.stringify({ type: "identify", token: account.token, clientInstanceId }));
  const at = Date.now() - count * 30_000;
  for (let from = 0; from < count; from += BATCH) {
    const messages = batchOf(account, room.id, room.channelId, from, Math.min(count, from + BATCH), at);
    const payload = { type: "chat-sync-batch", roomId: room.id, messages, attachments: {}, final: false };
    socket.send(JSON.stringify({ type: "account_sync", clientInstanceId, payload }));
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await page
    .getByText(`${count - 1} ${textOf(count - 1)}`, { exact: true })
    .first()
    .waitFor({ timeout: 120_000 });
  socket.close();
  await page.close();
}
