import WebSocket from "ws";
import { Mailbox, type Message } from "./mailbox.ts";
import { type Closed, type Dial, nextRequestId, type Socket } from "./socket.ts";

const socketUrl = (baseUrl: string, path: string): string =>
  new URL(path, baseUrl.replace(/^http/, "ws")).href;

/** The plain door, through the `ws` package. */
export const dialPlain: Dial = async (baseUrl, { headers, path = "/ws" } = {}) => {
  const socket = new WebSocket(socketUrl(baseUrl, path), { ...(headers && { headers }) });
  const inbox = new Mailbox();
  socket.on("message", (data: Buffer) => {
    inbox.receive(JSON.parse(data.toString()) as Message);
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.once("close", (code, reason) => {
      resolve({ code, reason: reason.toString() });
    });
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => undefined);
  return overJson(
    inbox,
    closed,
    (text) => socket.send(text),
    () => socket.close(),
  );
};

/** The plain door through the platform's own `WebSocket`, as in a browser. */
export const dialBrowser: Dial = async (baseUrl, { path = "/ws" } = {}) => {
  const socket = new globalThis.WebSocket(socketUrl(baseUrl, path));
  const inbox = new Mailbox();
  socket.addEventListener("message", ({ data }) => {
    inbox.receive(JSON.parse(String(data)) as Message);
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      resolve({ code, reason });
    });
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("the connection was refused")), { once: true });
  });
  return overJson(
    inbox,
    closed,
    (text) => socket.send(text),
    () => socket.close(),
  );
};

const overJson = (
  inbox: Mailbox,
  closed: Promise<Closed>,
  write: (text: string) => void,
  end: () => void,
): Socket => ({
  inbox,
  closed,
  send: (message) => {
    write(JSON.stringify(message));
  },
  ask: (message) => {
    const requestId = nextRequestId();
    write(JSON.stringify({ ...message, requestId }));
    return inbox.answer(requestId);
  },
  close: async () => {
    end();
    await closed;
  },
});
