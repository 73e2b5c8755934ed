import { dialBrowser, dialPlain } from "./plain.ts";
import type { Dial } from "./socket.ts";
import { dialSocketIo } from "./socket-io.ts";

/** Both doors for `describe.each` and `it.each`: a name for the title and a function that connects. */
export const DOORS: readonly (readonly [name: string, dial: Dial])[] = [
  ["plain", dialPlain],
  ["Socket.IO", dialSocketIo],
];

/** Every kind of client, including a bare upgrade of `/` and the platform's own socket. */
export const CLIENTS: readonly (readonly [name: string, dial: Dial])[] = [
  ["ws on /ws", dialPlain],
  ["ws on a bare upgrade of /", (baseUrl, options) => dialPlain(baseUrl, { path: "/", ...options })],
  ["the platform's WebSocket", dialBrowser],
  ["socket.io-client", dialSocketIo],
];
