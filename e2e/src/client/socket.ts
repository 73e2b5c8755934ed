import type { Mailbox, Message } from "./mailbox.ts";

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A client of either door. */
export interface Socket {
  readonly inbox: Mailbox;
  /** Sends without waiting. */
  send(message: Message): void;
  /** Sends with a new `requestId` and resolves with the response, which may be an error. */
  ask(message: Message): Promise<Message>;
  /** Resolves with the close code when the connection has ended; 0 for Socket.IO, which hides it. */
  readonly closed: Promise<Closed>;
  close(): Promise<void>;
}

/** Opens a connection; resolves when messages can be sent. */
export type Dial = (baseUrl: string, options?: DialOptions) => Promise<Socket>;

export interface DialOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of `/ws`; plain door only. */
  readonly path?: string;
}

let requests = 0;
export const nextRequestId = (): string => {
  requests += 1;
  return `r${requests}`;
};
