import { LIMITS, ProblemError } from "@hearth/contracts";
import { type Packet, PacketType } from "socket.io-parser";
import type { CodedConnection, Codec } from "../codec.ts";
import type { InboundMessage } from "../connection.ts";
import { bytesFrame, createFrame, type Frame } from "../frame.ts";
import type { HeartbeatSettings } from "../settings.ts";
import { textFrame } from "../wire-frame.ts";
import { asObject, readText } from "./json-text.ts";
import { readPacket } from "./socketio-packets.ts";

const NAMESPACE = "/";
const MAX_NAMESPACE = 128;
const NORMAL_CLOSURE = 1000;
const DISCONNECT = bytesFrame(textFrame("41"));

const refuse = (message: string): ProblemError => new ProblemError("INVALID_REQUEST", message);
const packetFrame = (head: string, data: unknown): Frame =>
  bytesFrame(textFrame(`${head}${JSON.stringify(data)}`));

/**
 * WS1: the part of Socket.IO 5 over Engine.IO 4 that the protocol needs: WebSocket only, one namespace, no binary data. The
 * name of an event is the `type` of the message; its only argument is the message.
 */
export const createSocketioDoor = (
  { intervalMs, timeoutMs }: HeartbeatSettings,
  maxPayload: number,
): Codec => {
  const terms = {
    upgrades: [],
    pingInterval: intervalMs,
    pingTimeout: timeoutMs - intervalMs,
    maxPayload,
  };
  return {
    door: "socketio",
    ping: bytesFrame(textFrame("2")),

    opened: (connection) => connection.post(packetFrame("0", { sid: connection.id, ...terms })),

    received(connection, data) {
      const read = readPacket(readText(data, LIMITS.jsonDepth + 1));
      if (read.type === "message") take(connection, read.packet, data.length);
      else if (read.type === "close") connection.hangUp(NORMAL_CLOSURE);
      else connection.noteControl();
    },

    /** A client does not reconnect after a DISCONNECT packet; it does if only the transport closes. */
    closing(connection, closing) {
      if (!connection.isOpening) connection.post(createFrame(closing));
      if (closing.reconnect) return;
      if (connection.isOpening)
        connection.post(packetFrame("44", { message: closing.message, data: closing }));
      else connection.post(DISCONNECT);
    },
  };
};

function take(connection: CodedConnection, packet: Packet, bytes: number): void {
  if (packet.type === PacketType.CONNECT) connect(connection, packet.nsp);
  else if (packet.nsp !== NAMESPACE || connection.isOpening) throw refuse("Connect to the namespace / first");
  else if (packet.type === PacketType.EVENT) connection.deliver(messageOf(connection, packet, bytes));
  else if (packet.type === PacketType.DISCONNECT) connection.hangUp(NORMAL_CLOSURE);
  else throw refuse("No packet of this type is expected");
}

function connect(connection: CodedConnection, namespace: string): void {
  if (namespace.length > MAX_NAMESPACE) throw refuse("The namespace is too long");
  if (namespace !== NAMESPACE) {
    connection.post(packetFrame(`44${namespace},`, { message: "Invalid namespace" }));
  } else if (connection.isOpening) {
    connection.post(packetFrame("40", { sid: connection.id }));
    connection.begin();
  } else {
    throw refuse("The namespace is already connected");
  }
}

function messageOf(connection: CodedConnection, packet: Packet, bytes: number): InboundMessage {
  const [name, argument = {}, ...rest] = Array.isArray(packet.data) ? (packet.data as unknown[]) : [];
  if (typeof name !== "string") throw refuse("An event needs a name");
  if (rest.length > 0) throw refuse("An event carries one argument, the message");
  const body = asObject(argument);
  if (!Object.hasOwn(body, "type")) body["type"] = name;
  else if (body["type"] !== name) throw refuse("The event's name and the message's type differ");
  if (packet.id === undefined) return { body, bytes };
  return { body, bytes, acknowledge: acknowledgement(connection, packet.id) };
}

function acknowledgement(connection: CodedConnection, id: number): (answer: object) => void {
  if (!Number.isSafeInteger(id)) throw refuse("The acknowledgement id is out of range");
  let answered = false;
  return (answer) => {
    if (!answered) connection.send(packetFrame(`43${id}`, [answer]));
    answered = true;
  };
}
