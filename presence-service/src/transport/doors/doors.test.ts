import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import { io, type Socket } from "socket.io-client";
import { createFrame } from "../frame.ts";
import { plainClient, socketio, socketioClient, socketioUrl } from "../../testing/transport/clients.ts";
import { Mailbox } from "../../testing/transport/mailbox.ts";
import { RawClient, SOCKETIO_PATH, upgradeHead } from "../../testing/transport/raw-client.ts";
import { Recorder } from "../../testing/transport/recorder.ts";
import { type ServedTransport, serveTransport } from "../../testing/transport/served-transport.ts";

let recorder: Recorder;
let served: ServedTransport;

beforeEach(async () => {
  recorder = new Recorder();
  served = await serveTransport(recorder);
});
afterEach(() => served.close());

const connected = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once("connect", resolve));

/** Relays each message to all other connections. */
const relayToOthers = (): void => {
  recorder.react = (sender, { body }) => {
    const frame = createFrame(body);
    served.transport.forEach((connection) => {
      if (connection !== sender) connection.send(frame);
    });
  };
};

/** The platform's WebSocket client, as in a browser. */
async function platformClient() {
  const socket = new WebSocket(`ws://127.0.0.1:${served.port}/`);
  const heard = new Mailbox<unknown>();
  socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)));
  await new Promise((resolve) => (socket.onopen = resolve));
  return { socket, heard };
}

describe("WS1 the two doors", () => {
  it("WS1 clients of every kind meet and receive the same messages", async () => {
    relayToOthers();
    const clients = [await plainClient(served.port), await socketioClient(served.port)];
    const platform = await platformClient();
    await recorder.connections.atLeast(3);
    for (const [sender, client] of clients.entries()) client.say({ type: "chat_message", sender });
    platform.socket.send('{"type":"chat_message","sender":2}');
    const heard = [...clients.map((client) => client.heard), platform.heard];
    for (const [receiver, { items }] of heard.entries()) {
      await heard[receiver]?.atLeast(2);
      const others = [0, 1, 2].filter((sender) => sender !== receiver);
      expect(items).toEqual(
        expect.arrayContaining(others.map((sender) => ({ type: "chat_message", sender }))),
      );
      expect(items).toHaveLength(2);
    }
    expect(recorder.connections.items.map(({ door }) => door).sort()).toEqual(["plain", "plain", "socketio"]);
  });

  it("WS1 the event's name is the type, if that is given, left out or without any message", async () => {
    const client = socketio(served.port);
    await connected(client);
    client.emit("ping", { type: "ping", number: 1 });
    client.emit("ping", { number: 2 });
    client.emit("ping");
    expect(await recorder.handled.atLeast(3)).toEqual([
      { type: "ping", number: 1 },
      { type: "ping", number: 2 },
      { type: "ping" },
    ]);
    client.disconnect();
  });

  it("answers an acknowledgement once", async () => {
    recorder.react = (_connection, { acknowledge, body }) => {
      acknowledge?.({ type: "ack", number: body["number"] });
      acknowledge?.({ type: "ack", number: "again" });
    };
    const client = socketio(served.port);
    await connected(client);
    const asked = [1, 2, 3].map((number) => client.emitWithAck("ping", { number }) as Promise<unknown>);
    expect(await Promise.all(asked)).toEqual([1, 2, 3].map((number) => ({ type: "ack", number })));
    client.disconnect();
  });

  it("answers an acknowledgement once on the wire", async () => {
    recorder.react = (_connection, { acknowledge }) => {
      acknowledge?.({ type: "ack" });
      acknowledge?.({ type: "ack" });
    };
    const client = new RawClient(served.port, upgradeHead(SOCKETIO_PATH));
    for (const text of ["40", '420["ping",{}]', '4212["ping",{}]']) client.send(text);
    const frames = await client.frames.atLeast(4);
    const texts = frames.map(({ payload }) => payload.toString());
    expect(texts.slice(2)).toEqual(['430[{"type":"ack"}]', '4312[{"type":"ack"}]']);
    client.socket.destroy();
  });

  it("passes on no acknowledgement if the client asked for none", async () => {
    const asked: boolean[] = [];
    recorder.react = (_connection, { acknowledge }) => void asked.push(acknowledge !== undefined);
    (await socketioClient(served.port)).say({ type: "ping" });
    (await plainClient(served.port)).say({ type: "ping" });
    await recorder.handled.atLeast(2);
    expect(asked).toEqual([false, false]);
  });

  it("WS14 a stock Socket.IO client reconnects if it may, and only then", async () => {
    const client = io(socketioUrl(served.port), { transports: ["websocket"], reconnectionDelay: 1 });
    await connected(client);
    const first = await recorder.connections.first(() => true);
    const again = connected(client);
    first.close(CLOSE.RESTARTING, "Restarting", 5);
    await again;
    const second = await recorder.connections.first((connection) => connection !== first);
    const left = new Promise((resolve) => client.once("disconnect", resolve));
    second.close(CLOSE.SUPERSEDED, "Another connection took over");
    expect(await left).toBe("io server disconnect");
    expect(client.active).toBe(false);
    client.connect();
    await connected(client);
    client.disconnect();
    await recorder.ended.atLeast(3);
  });

  it("knows the address that the gateway saw", async () => {
    const client = io(socketioUrl(served.port), {
      transports: ["websocket"],
      extraHeaders: { "x-forwarded-for": "203.0.113.9" },
    });
    await connected(client);
    expect(recorder.connections.items[0]?.clientAddress).toBe("203.0.113.9");
    client.disconnect();
  });
});

describe("the Socket.IO door", () => {
  it("refuses other namespaces and stays open", async () => {
    const client = io(`${socketioUrl(served.port)}/admin`, { transports: ["websocket"], forceNew: true });
    const error = await new Promise<Error>((resolve) => client.once("connect_error", resolve));
    expect(error.message).toBe("Invalid namespace");
    const proper = client.io.socket("/").connect();
    await connected(proper);
    expect(recorder.connections.items).toHaveLength(1);
    client.io._close();
    await recorder.ended.atLeast(1);
  });

  it("ignores the data of a CONNECT", async () => {
    const client = io(socketioUrl(served.port), { transports: ["websocket"], auth: { token: "abc" } });
    await connected(client);
    expect(client.id).toBe(recorder.connections.items[0]?.id);
    client.disconnect();
  });
});
