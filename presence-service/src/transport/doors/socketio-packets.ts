import { ProblemError } from "@hearth/contracts";
import { decodePacket, type PacketType as EngineType } from "engine.io-parser";
import { Decoder, type Packet, PacketType } from "socket.io-parser";

const refuse = (message: string): ProblemError => new ProblemError("INVALID_REQUEST", message);

/** The packets of an Engine.IO client that this server distinguishes. */
export type EnginePacket =
  | { readonly type: "message"; readonly packet: Packet }
  | { readonly type: "close" }
  /** Shows that the client is alive, and nothing else. */
  | { readonly type: "pong" };

/** Packets that binary attachments follow. */
const BINARY = new Set([String(PacketType.BINARY_EVENT), String(PacketType.BINARY_ACK)]);

/** Shared by all connections: it keeps state between texts only for binary packets, and those are refused. */
const decoder = new Decoder();
const decoded: Packet[] = [];
decoder.on("decoded", (packet: Packet) => decoded.push(packet));

function parsePacket(text: string): Packet {
  if (BINARY.has(text.charAt(0))) throw refuse("Binary data is not part of the protocol");
  try {
    decoder.add(text);
  } catch {
    throw refuse("This is not a Socket.IO packet, or its event name is reserved");
  }
  const packet = decoded.pop();
  if (!packet) throw refuse("This is not a Socket.IO packet");
  return packet;
}

/** Reads an Engine.IO packet and the Socket.IO packet in it; throws `INVALID_REQUEST` for anything else. */
export function readPacket(text: string): EnginePacket {
  const { type, data } = decodePacket(text) as { readonly type: EngineType; readonly data?: unknown };
  if (type === "pong" || type === "noop") return { type: "pong" };
  if (type === "close") return { type };
  if (type !== "message") throw refuse("This Engine.IO packet is not for a server");
  if (typeof data !== "string") throw refuse("Binary data is not part of the protocol");
  return { type, packet: parsePacket(data) };
}
