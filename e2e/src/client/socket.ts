import type { Mailbox, Message } from "./mailbox.ts";

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A client of either door; the suites do not ask which. */
export interface Socket {
  readonly inbox: Mailbox;
  /** Sends without waiting. */
  send(message: Message): void;
  /** Sends with a fresh `requestId` and resolves with whatever answers it, an error included. */
  ask(message: Message): Promise<Message>;
  /** Resolves when the connection has ended. Socket.IO hides the code: it is 0 there. */
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
