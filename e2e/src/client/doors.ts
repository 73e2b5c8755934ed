import { dialBrowser, dialPlain } from "./plain.ts";
import type { Dial } from "./socket.ts";
import { dialSocketIo } from "./socket-io.ts";

/** Both doors, for `describe.each` and `it.each`: a name for the title, and how to dial. */
export const DOORS: readonly (readonly [name: string, dial: Dial])[] = [
  ["plain", dialPlain],
  ["Socket.IO", dialSocketIo],
];

/** Every client that comes to meet the others: a bare upgrade of `/` and the platform's own socket as well. */
export const CLIENTS: readonly (readonly [name: string, dial: Dial])[] = [
  ["ws on /ws", dialPlain],
  ["ws on a bare upgrade of /", (baseUrl, options) => dialPlain(baseUrl, { path: "/", ...options })],
  ["the platform's WebSocket", dialBrowser],
  ["socket.io-client", dialSocketIo],
];
