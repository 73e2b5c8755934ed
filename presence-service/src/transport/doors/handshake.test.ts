import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Problem } from "@hearth/contracts";
import { PLAIN_PATH, RawClient, SOCKETIO_PATH, upgradeHead } from "../../testing/transport/raw-client.ts";
import { Recorder } from "../../testing/transport/recorder.ts";
import { type ServedTransport, serveTransport } from "../../testing/transport/served-transport.ts";

let recorder: Recorder;
let served: ServedTransport;

beforeEach(async () => {
  recorder = new Recorder();
  served = await serveTransport(recorder);
});
afterEach(() => served.close());

async function answerTo(head: string): Promise<{ status: number; headers: string; body: Problem }> {
  const socket = connect(served.port, "127.0.0.1");
  let text = "";
  socket.on("data", (data: Buffer) => (text += data.toString()));
  socket.write(head);
  await once(socket, "close");
  const [headers = "", body = "{}"] = text.split("\r\n\r\n", 2);
  return { status: Number(headers.slice(9, 12)), headers, body: JSON.parse(body) as Problem };
}

const ENGINE = "/socket.io/?transport=websocket";

describe("upgrades", () => {
  it.each(["/", "/?x=1", "/ws", "/ws/", SOCKETIO_PATH, "/socket.io?transport=websocket&EIO=4"])(
    "WS1 are accepted at %s",
    async (path) => {
      const client = new RawClient(served.port, upgradeHead(path));
      if (path.startsWith("/socket.io")) client.send("40");
      const connection = await recorder.connections.first(() => true);
      expect(connection.door).toBe(path.startsWith("/socket.io") ? "socketio" : "plain");
      expect(client.head).not.toMatch(/sec-websocket-extensions/i);
      client.socket.destroy();
    },
  );

  it.each([PLAIN_PATH, SOCKETIO_PATH])(
    "WS1 confirm no subprotocol, because there is none, at %s",
    async (path) => {
      const client = new RawClient(
        served.port,
        upgradeHead(path, { "Sec-WebSocket-Protocol": "mqtt, graphql-ws" }),
      );
      await once(client.socket, "data");
      expect(client.head).toMatch(/^HTTP\/1\.1 101/);
      expect(client.head).not.toMatch(/sec-websocket-protocol/i);
      client.socket.destroy();
    },
  );

  it.each([
    ["another path", upgradeHead("/elsewhere"), 404, "NOT_FOUND"],
    ["an old version", upgradeHead(PLAIN_PATH, { "Sec-WebSocket-Version": "12" }), 426, "INVALID_REQUEST"],
    ["no key", upgradeHead(PLAIN_PATH, { "Sec-WebSocket-Key": "" }), 400, "INVALID_REQUEST"],
    ["a bad key", upgradeHead(PLAIN_PATH, { "Sec-WebSocket-Key": "short" }), 400, "INVALID_REQUEST"],
    ["another protocol", upgradeHead(PLAIN_PATH, { Upgrade: "h2c" }), 400, "INVALID_REQUEST"],
    ["a POST", upgradeHead(PLAIN_PATH).replace("GET", "POST"), 400, "INVALID_REQUEST"],
    ["no Engine.IO version", upgradeHead(ENGINE), 400, "INVALID_REQUEST"],
    ["Engine.IO 3", upgradeHead(`${ENGINE}&EIO=3`), 400, "INVALID_REQUEST"],
    ["polling", upgradeHead("/socket.io/?EIO=4&transport=polling"), 400, "INVALID_REQUEST"],
    ["a stale session", upgradeHead(`${SOCKETIO_PATH}&sid=stale`), 400, "INVALID_REQUEST"],
  ])("W25 are refused in the shape of ER1: %s", async (_what, head, status, code) => {
    const answer = await answerTo(head);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatch(/content-type: application\/problem\+json/i);
    expect(answer.body).toMatchObject({ status, code });
    expect(answer.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(recorder.connections.items).toEqual([]);
    expect(served.transport.connections).toBe(0);
  });

  it("names the supported version", async () => {
    const answer = await answerTo(upgradeHead(PLAIN_PATH, { "Sec-WebSocket-Version": "12" }));
    expect(answer.headers).toMatch(/sec-websocket-version: 13/i);
  });

  it("keeps the id of the request", async () => {
    const answer = await answerTo(upgradeHead("/elsewhere", { "x-request-id": "req-1" }));
    expect(answer.body.requestId).toBe("req-1");
  });

  it("WS15 are answered with 503 while the node drains; open connections stay open", async () => {
    const client = new RawClient(served.port);
    const connection = await recorder.connections.first(() => true);
    served.transport.accepting = false;
    const answer = await answerTo(upgradeHead(PLAIN_PATH));
    expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(answer.headers).toMatch(/retry-after: 1/i);
    expect(connection.open).toBe(true);
    served.transport.accepting = true;
    const next = new RawClient(served.port);
    await recorder.connections.atLeast(2);
    client.socket.destroy();
    next.socket.destroy();
  });

  it("survive a client that disconnects before they are complete", async () => {
    const socket = connect(served.port, "127.0.0.1");
    socket.write(upgradeHead(PLAIN_PATH));
    socket.resetAndDestroy();
    const next = new RawClient(served.port);
    await next.frames.atLeast(0);
    await recorder.connections.first(({ open }) => open);
    next.socket.destroy();
  });
});
