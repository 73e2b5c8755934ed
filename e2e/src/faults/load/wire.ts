import WebSocket from "ws";
import { type DoorName, rawSocketUrl } from "../../client/raw-socket.ts";
import type { Message } from "../../client/mailbox.ts";

/** A connection to either door that keeps no messages. */
export interface Wire {
  readonly say: (message: Message) => void;
  readonly close: () => void;
  /** Ends the connection without a close frame. */
  readonly terminate: () => void;
}

export interface WireEvents {
  /** Messages can be sent. */
  readonly entered: () => void;
  readonly heard: (message: Message) => void;
  readonly closed: (code: number, reason: string) => void;
}

const IMPATIENCE_MS = 6_000;

/** Connects; `closed` is always called in the end. */
export const openWire = (baseUrl: string, door: DoorName, { entered, heard, closed }: WireEvents): Wire => {
  const options = { perMessageDeflate: false, handshakeTimeout: IMPATIENCE_MS };
  const socket = new WebSocket(rawSocketUrl(baseUrl, door), options);
  const readEngine = (text: string): void => {
    if (text.startsWith("0")) socket.send("40");
    else if (text.startsWith("40")) entered();
    else if (text === "2") socket.send("3");
    else if (text.startsWith("42")) heard((JSON.parse(text.slice(2)) as [string, Message])[1]);
  };
  socket.on("message", (data: Buffer) => {
    if (door === "plain") heard(JSON.parse(data.toString()) as Message);
    else readEngine(data.toString());
  });
  if (door === "plain") socket.on("open", entered);
  socket.on("error", () => undefined);
  socket.on("close", (code, reason) => closed(code, reason.toString()));
  return {
    say: (message) => {
      const text = JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN)
        socket.send(door === "plain" ? text : `42[${JSON.stringify(message.type)},${text}]`);
    },
    close: () => socket.close(),
    terminate: () => socket.terminate(),
  };
};
