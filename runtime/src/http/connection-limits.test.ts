import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { silentLog } from "../log/log.ts";
import type { ConnectionLimits } from "./connections.ts";
import { createHttpListener } from "./listener.ts";
import type { HttpListener } from "./listener.ts";
import { until } from "../testing/until.ts";

const HEAD = "GET / HTTP/1.1\r\nHost: x\r\n";

describe("limits on connections", () => {
  const sockets: Duplex[] = [];
  let listener: HttpListener | undefined;
  let ended = 0;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await listener?.stop();
  });

  const start = async (limits: ConnectionLimits, bytes = 2): Promise<void> => {
    listener = createHttpListener({
      host: "127.0.0.1",
      port: 0,
      listener: (_request, response) => {
        response.on("close", () => (ended = performance.now()));
        response.end(Buffer.alloc(bytes));
      },
      onUpgrade: (_request, socket) => {
        sockets.push(socket);
        socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      },
      limits,
      log: silentLog,
      stopLimitMs: 10,
    });
    await listener.start();
  };
  const dial = async (): Promise<Socket> => {
    const socket = connect(listener?.port ?? 0, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  const answers = async (socket: Socket, request = `${HEAD}\r\n`): Promise<boolean> => {
    socket.write(request);
    const answered = once(socket, "data").then(() => true);
    return Promise.race([answered, once(socket, "close").then(() => false)]);
  };

  it("AB2 refuse connections of an address past its limit, until it has closed one", async () => {
    let refused = 0;
    await start({ maxPerAddress: 2, onRefused: () => (refused += 1) });
    const [first, second] = [await dial(), await dial()];
    expect(await answers(await dial())).toBe(false);
    expect([await answers(first), await answers(second), refused]).toEqual([true, true, 1]);
    first.destroy();
    await sleep(50);
    expect(await answers(await dial())).toBe(true);
  });

  it("AB2 count neither upgraded connections nor those of exempt addresses", async () => {
    await start({ maxPerAddress: 1 });
    for (let count = 0; count < 3; count++) {
      expect(await answers(await dial(), `${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).toBe(
        true,
      );
    }
    expect(await answers(await dial())).toBe(true);
    await listener?.stop();
    await start({ maxPerAddress: 1, isExempt: (address) => address === "127.0.0.1" });
    for (let count = 0; count < 3; count++) expect(await answers(await dial())).toBe(true);
  });

  it("AB2 end a response that the client does not read, whatever it still sends", async () => {
    await start({ stallMs: 300 }, 20_000_000);
    const socket = await dial();
    socket.pause();
    socket.write(`${HEAD}\r\n`);
    ended = 0;
    const since = performance.now();
    const chatter = setInterval(() => socket.write(`${HEAD}\r\n`), 50);
    await until(() => ended !== 0, 4_000);
    clearInterval(chatter);
    expect(ended - since).toBeGreaterThan(290);
    expect(ended - since).toBeLessThan(2_000);
  });

  it("AB2 leave a slowly read response alone", async () => {
    await start({ stallMs: 2_500 }, 60_000_000);
    const socket = await dial();
    socket.write(`${HEAD}\r\n`);
    let read = 0;
    socket.on("data", (chunk: Buffer) => {
      read += chunk.length;
      socket.pause();
      // Some 3 MB a second: far from the end when the wait is over, also where a timer is late.
      setTimeout(() => socket.resume(), 20);
    });
    ended = 0;
    await sleep(4_000);
    expect(ended).toBe(0);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(60_000_000);
  });
});
