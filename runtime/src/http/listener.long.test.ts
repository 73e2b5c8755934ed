import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { silentLog } from "../log/log.ts";
import { createHttpListener } from "./listener.ts";

describe("an HTTP listener, against slow clients", () => {
  const listener = createHttpListener({
    host: "127.0.0.1",
    port: 0,
    listener: (request, response) => void request.resume().on("end", () => response.end()),
    log: silentLog,
  });
  beforeAll(() => listener.start());
  afterAll(() => listener.stop());

  const dribble = async (head: string, drop: string): Promise<string> => {
    const socket = connect(listener.port, "127.0.0.1");
    let answered = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answered += chunk));
    socket.write(head);
    const drops = setInterval(() => socket.write(drop), 1_000);
    await once(socket, "close");
    clearInterval(drops);
    return answered;
  };

  it("cuts off a head that never ends with 408 within 15 seconds", async () => {
    const answer = await dribble("GET / HTTP/1.1\r\nHost: x\r\n", "X: y\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  }, 15_000);

  it("cuts off a body that never ends with a problem within 33 seconds", async () => {
    const answer = await dribble("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", "x");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }, 33_000);
});
