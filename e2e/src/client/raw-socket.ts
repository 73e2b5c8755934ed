import WebSocket from "ws";
import { Mailbox, type Message } from "./mailbox.ts";
import type { Closed } from "./socket.ts";

export type DoorName = "plain" | "socketio";

/** A WebSocket to either door that sends anything, for input that no client library would send. */
export interface RawSocket {
  readonly door: DoorName;
  readonly inbox: Mailbox;
  /** The real close code, even on the Socket.IO door. */
  readonly closed: Promise<Closed>;
  readonly webSocket: WebSocket;
  /** Sends a JSON text as a message of the door: on Socket.IO as the argument of the event `event`. */
  say(json: string, event?: string): void;
  /** Sends one text frame unchanged. */
  frame(text: string): void;
  close(): Promise<void>;
}

export const RAW_DOORS: readonly DoorName[] = ["plain", "socketio"];

const PATHS: Readonly<Record<DoorName, string>> = {
  plain: "/ws",
  socketio: "/socket.io/?EIO=4&transport=websocket",
};

export const rawSocketUrl = (baseUrl: string, door: DoorName): string =>
  new URL(PATHS[door], baseUrl.replace(/^http/, "ws")).href;

/** Opens the WebSocket and, on the Socket.IO door, enters the namespace. */
export const dialRaw = async (baseUrl: string, door: DoorName): Promise<RawSocket> => {
  const webSocket = new WebSocket(rawSocketUrl(baseUrl, door));
  const inbox = new Mailbox();
  const entered = new Promise<void>((resolve) => {
    webSocket.on("message", (data: Buffer) => {
      const text = data.toString();
      if (door === "plain") inbox.receive(JSON.parse(text) as Message);
      else readEngine(text, { inbox, webSocket, entered: resolve });
    });
  });
  const closed = new Promise<Closed>((resolve) => {
    webSocket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise((resolve, reject) => {
    webSocket.once("open", resolve);
    webSocket.once("error", reject);
  });
  webSocket.on("error", () => undefined);
  if (door === "socketio") await entered;
  return {
    door,
    inbox,
    closed,
    webSocket,
    say: (json, event = "message") => {
      webSocket.send(door === "plain" ? json : `42[${JSON.stringify(event)},${json}]`);
    },
    frame: (text) => webSocket.send(text),
    close: async () => {
      webSocket.close();
      await closed;
    },
  };
};

interface Engine {
  readonly inbox: Mailbox;
  readonly webSocket: WebSocket;
  readonly entered: () => void;
}

const readEngine = (text: string, { inbox, webSocket, entered }: Engine): void => {
  if (text.startsWith("0")) webSocket.send("40");
  else if (text.startsWith("40")) entered();
  else if (text === "2") webSocket.send("3");
  else if (text.startsWith("42")) inbox.receive((JSON.parse(text.slice(2)) as [string, Message])[1]);
};
