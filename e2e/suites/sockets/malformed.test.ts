import type { Credential } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, type DoorName, RAW_DOORS, register, requestText, sendRaw } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { alive, identified, tell } from "../../src/expectations/raw-device.ts";
import { FRAME_BYTES } from "../../src/expectations/sizes.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const server = serverForTests();
let ada: Credential;

beforeAll(async () => {
  ada = await register(server.url, "ada");
});

describe("malformed messages", () => {
  const LONG = "x".repeat(10_000);
  const texts: Readonly<Record<DoorName, readonly (readonly [title: string, frame: string])[]>> = {
    plain: [
      ["W18 no JSON", "{not json"],
      ["W18 nothing", ""],
      ["W19 a number", "5"],
      ["W19 a text", '"ping"'],
      ["W19 null", "null"],
      ["W19 a list", '[{"type":"ping"}]'],
      ["W20 no type", "{}"],
      ["W20 a type that is a number", '{"type":5}'],
      ["W20 a type that is a list", '{"type":["ping"]}'],
      ["W21 a type of 10 KB", `{"type":"${LONG}"}`],
      ["W21 the type __proto__", '{"type":"__proto__"}'],
      ["W21 the type constructor", '{"type":"constructor"}'],
      ["W21 the type toString", '{"type":"toString"}'],
      ["JSON nested too deep", `{"type":"ping","x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
    ],
    socketio: [
      ["W18 no JSON", '42["chat_message",{not json]'],
      ["W18 nothing", ""],
      ["W18 an Engine.IO packet of no kind", "9"],
      ["W19 a number", '42["ping",5]'],
      ["W19 null", '42["ping",null]'],
      ["W19 a list", '42["ping",[]]'],
      ["W19 two arguments", '42["ping",{},{}]'],
      ["W19 an event without a name", "42[]"],
      ["W19 an event whose name is a number", "42[5,{}]"],
      ["W19 data that is no list", '42{"type":"ping"}'],
      ["W20 a type that is not the event's", '42["ping",{"type":"chat_message"}]'],
      ["W21 an event name of 10 KB", `42["${LONG}",{}]`],
      ["W21 the event __proto__", '42["__proto__",{}]'],
      ["W21 the event constructor", '42["constructor",{}]'],
      ["W22 a packet with 1,000 attachments", '451000-["ping",{"_placeholder":true,"num":0}]'],
      ["W22 an acknowledgement of nothing", "4377[1]"],
      ["W22 an acknowledgement id out of range", '4299999999999999999999["ping",{}]'],
      ["W22 another namespace", '42/admin,["ping",{}]'],
      ["W22 the reserved event connect", '42["connect",{}]'],
      ["W22 the reserved event disconnect", '42["disconnect",{}]'],
      ["W22 the reserved event connect_error", '42["connect_error",{}]'],
      ["JSON nested too deep", `42["ping",{"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}]`],
    ],
  };
  const cases = RAW_DOORS.flatMap((door) =>
    texts[door].map(([title, frame]) => [door, title, frame] as const),
  );

  it.each(cases)(
    "WS16 on the %s door %s is an error, and the connection stays open",
    async (door, _title, frame) => {
      const socket = await identified(server.url, door, ada);
      socket.frame(frame);
      const error = await socket.inbox.next("error");
      expect(["INVALID_REQUEST", "UNKNOWN_TYPE"]).toContain(error["code"]);
      expect(error).toMatchObject({ message: expect.stringMatching(/\S/), retryable: false });
      await alive(socket);
      await socket.close();
    },
  );

  it.each(RAW_DOORS)(
    "WS16 W13 binary data on the %s door is an error, and the connection stays open",
    async (door) => {
      const socket = await identified(server.url, door, ada);
      socket.webSocket.send(Buffer.from('{"type":"ping"}'));
      expect(await socket.inbox.next("error")).toMatchObject({ code: "INVALID_REQUEST" });
      await alive(socket);
      await socket.close();
    },
  );

  it.each(RAW_DOORS)(
    "WS16 the error for a wrong or missing field on the %s door names it and has the requestId",
    async (door) => {
      const socket = await identified(server.url, door, ada);
      tell(socket, { type: "chat_message", serverId: 5, message: { id: "x" }, requestId: "mine" });
      const error = await socket.inbox.answer("mine");
      expect(error).toMatchObject({ type: "error", code: "INVALID_REQUEST", inReplyTo: "chat_message" });
      const paths = (error["errors"] as { path: string }[]).map(({ path }) => path);
      expect(paths.toSorted()).toEqual(["message.content", "serverId"]);
      await alive(socket);
      await socket.close();
    },
  );

  it("WS16 W22 another Socket.IO namespace is refused, and the connection stays open", async () => {
    const socket = await identified(server.url, "socketio", ada);
    const frames: string[] = [];
    socket.webSocket.on("message", (data: Buffer) => frames.push(data.toString()));
    socket.frame("40/admin,");
    await alive(socket);
    expect(frames.find((frame) => frame.startsWith("44/admin,"))).toContain("Invalid namespace");
    await socket.close();
  });

  it.each(RAW_DOORS)(
    "WS14 W14 invalid UTF-8 on the %s door closes with 1007, after a reason",
    async (door) => {
      const socket = await identified(server.url, door, ada);
      socket.webSocket.send(Buffer.from([0x34, 0x32, 0xff, 0xfe]), { binary: false });
      expect(await socket.inbox.next("closing")).toMatchObject({ closeCode: 1007 });
      expect((await socket.closed).code).toBe(1007);
    },
  );

  it.each(RAW_DOORS)(
    "WS12 W15 a frame past 1 MiB on the %s door closes with 1009, whole or fragmented",
    async (door) => {
      const whole = await identified(server.url, door, ada);
      whole.frame("x".repeat(FRAME_BYTES + 1));
      expect((await whole.closed).code).toBe(1009);
      const pieces = await identified(server.url, door, ada);
      const piece = "x".repeat(FRAME_BYTES / 8);
      for (let sent = 0; sent < 9; sent += 1) pieces.webSocket.send(piece, { fin: sent === 8 });
      expect((await pieces.closed).code).toBe(1009);
    },
  );

  it.each(RAW_DOORS)(
    "WS12 W16 100,000 fragments of one byte on the %s door close it without using memory",
    async (door) => {
      const memory = async () => (await metricsOf(server)).sum("process_resident_memory_bytes");
      const socket = await identified(server.url, door, ada);
      const before = await memory();
      for (let sent = 0; sent < 100_000 && socket.webSocket.readyState === 1; sent += 1) {
        socket.webSocket.send(" ", { fin: false });
        if (sent % 1_000 === 999) await new Promise((resolve) => setImmediate(resolve));
      }
      expect([1008, 1009, 1006]).toContain((await socket.closed).code);
      expect((await memory()) - before).toBeLessThan(64 * 1024 * 1024);
    },
  );

  it("WS1 W23 Socket.IO polling and its sessions are refused with a problem document", async () => {
    const polling = "/socket.io/?EIO=4&transport=polling";
    expectProblem(await call(server.url, "GET", polling), "INVALID_REQUEST");
    expectProblem(
      await call(server.url, "POST", polling, { raw: "40", headers: { "content-type": "text/plain" } }),
      "METHOD_NOT_ALLOWED",
    );
    expectProblem(await call(server.url, "GET", `${polling}&sid=stale`), "INVALID_REQUEST");
  });

  const handshake = (target: string, replaced: Readonly<Record<string, string>> = {}) => {
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...replaced,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return sendRaw(server.url, requestText(server.url, "GET", target, lines));
  };

  it.each(["/ws", "/", "/socket.io/?EIO=4&transport=websocket"])(
    "GW6 W25 %s wants the handshake as it is written",
    async (path) => {
      const old = await handshake(path, { "Sec-WebSocket-Version": "12" });
      expect(old).toMatchObject({ status: 426, headers: { "sec-websocket-version": "13" } });
      expectProblem(await handshake(path, { "Sec-WebSocket-Key": "short" }), "INVALID_REQUEST");
      expect((await handshake(path)).status).toBe(101);
    },
  );

  it.each(["/api/servers", "/ws/x", "/socket.io/x?EIO=4&transport=websocket", "//ws"])(
    "GW6 W25 there is no socket at %s",
    async (path) => {
      expectProblem(await handshake(path), "NOT_FOUND");
    },
  );

  it.each([
    "/socket.io/?EIO=3&transport=websocket",
    "/socket.io/?EIO=4&transport=websocket&sid=stale",
    "/socket.io/",
  ])("GW6 W25 %s is 400", async (path) => {
    expectProblem(await handshake(path), "INVALID_REQUEST");
  });
});
