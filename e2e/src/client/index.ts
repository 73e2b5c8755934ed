export * from "./device.ts";
export * from "./mailbox.ts";
export * from "./plain.ts";
export * from "./rest.ts";
export * from "./socket.ts";
export * from "./socket-io.ts";
