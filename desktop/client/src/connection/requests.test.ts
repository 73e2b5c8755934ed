import { describe, expect, it } from "@jest/globals";
import type { ClientProblem } from "@hearth/device";
import { SERVER_ID, stageWith } from "./testing/connection-stage.ts";
import type { Reply } from "./testing/scripted-server.ts";

type Heard = Parameters<Reply>[0];

/** A server that receives messages of these types and does not answer. */
function holdBack(...types: readonly string[]) {
  const held: Heard[] = [];
  const reply: Reply = (message) => {
    if (!types.includes(String(message["type"]))) return null;
    held.push(message);
    return { type: "pong", serverTime: 0 };
  };
  return { held, reply };
}

describe("requests", () => {
  it("match answers in any order", async () => {
    const { held, reply } = holdBack("join_server", "chat_message");
    const { connection, last, heard } = await stageWith(reply);
    const join = connection.request({ type: "join_server", serverId: SERVER_ID });
    const chat = connection.request({ type: "chat_message", serverId: SERVER_ID });
    const [first, second] = held;
    last().receive({ type: "ack", inReplyTo: "chat_message", requestId: second?.["requestId"] });
    const joined = { type: "server_joined", serverId: SERVER_ID, users: [], channels: [] };
    last().receive({ ...joined, requestId: first?.["requestId"] });
    expect(await chat).toMatchObject({ type: "ack", inReplyTo: "chat_message" });
    expect(await join).toMatchObject(joined);
    // `server_joined` goes to the listeners too, in order with the server's other events; an ack does not.
    expect(heard.map(({ type }) => type)).toEqual(["server_joined"]);
  });

  it("reject with the server's refusal, but not with a relayed message of the same id", async () => {
    const { connection, last } = await stageWith(holdBack("chat_message").reply);
    const request = connection.request({ type: "chat_message", serverId: SERVER_ID });
    const requestId = last().sentOf("chat_message")[0]?.["requestId"];
    const relayed = { type: "ping", requestId, fromUserId: "mallory", fromDisplayName: "M", sentAt: 1 };
    last().receive(relayed);
    const errors = [{ path: "message.content", message: "is too long" }];
    last().receive({
      type: "error",
      code: "INVALID_REQUEST",
      message: "No",
      retryable: false,
      errors,
      requestId,
    });
    await expect(request).rejects.toMatchObject({ code: "INVALID_REQUEST", issues: errors, requestId });
  });

  it("reject at once while offline, after 10 s without an answer, and when the socket closes", async () => {
    const { connection, platform, last } = await stageWith(holdBack("chat_message").reply);
    const ask = (): Promise<unknown> =>
      connection.request({ type: "chat_message" }).catch((error: unknown) => (error as ClientProblem).code);
    const unanswered = ask();
    await platform.clock.advance(10_000);
    expect(await unanswered).toBe("NO_ANSWER");
    const cut = ask();
    last().drop();
    expect(await cut).toBe("NO_ANSWER");
    expect(await ask()).toBe("OFFLINE");
    expect(last().sentOf("chat_message")).toHaveLength(2);
  });

  it("WS12 are refused locally if they are too large, because the server would close the connection", async () => {
    const { connection, last } = await stageWith();
    const content = "é".repeat(33_000);
    const chat = connection.request({ type: "chat_message", message: { id: "m", content } });
    await expect(chat).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE", retryable: false });
    await expect(connection.request({ type: "account_sync", payload: { content } })).resolves.toMatchObject({
      type: "ack",
    });
    connection.cast({ type: "status_update", statusText: content });
    expect(last().sent.map(({ type }) => type)).toEqual(["identify", "account_sync"]);
  });

  it("WS12 go out in order and no faster than the server accepts them, so that it never refuses", async () => {
    let tokens = 240;
    let at = 0;
    let refused = 0;
    const { connection, platform, last } = await stageWith((_message, _socket, now) => {
      tokens = Math.min(240, tokens + ((now - at) * 60) / 1_000) - 1;
      at = now;
      if (tokens < 0) refused += 1;
      return null;
    });
    const all = Array.from({ length: 1_000 }, (_, index) =>
      connection.request({ type: "chat_message", index }),
    );
    const answered = Promise.all(all);
    await platform.clock.advance(20_000);
    await answered;
    expect(refused).toBe(0);
    expect(
      last()
        .sentOf("chat_message")
        .map(({ index }) => index),
    ).toEqual(all.map((_, index) => index));
  });

  it("WS2 wait while the server's queue would overflow", async () => {
    const { held, reply } = holdBack("account_sync");
    const { connection, last } = await stageWith(reply);
    const acknowledge = (message: Heard | undefined): void =>
      last().receive({ type: "ack", inReplyTo: "account_sync", requestId: message?.["requestId"] });
    const payload = { data: "x".repeat(900_000) };
    const all = [1, 2, 3, 4].map(() => connection.request({ type: "account_sync", payload }));
    expect(held).toHaveLength(2);
    acknowledge(held[0]);
    expect(held).toHaveLength(3);
    for (const message of held) acknowledge(message);
    acknowledge(held.at(-1));
    await Promise.all(all);
  });

  it("ER2 are resent with the same id after the delay of a rate limit", async () => {
    let refusals = 2;
    const { connection, platform, last } = await stageWith(({ type, requestId }) => {
      if (type !== "chat_message" || refusals-- <= 0) return null;
      const error = { type: "error", code: "RATE_LIMITED", message: "Slow down", retryable: true };
      return { ...error, retryAfterMs: 700, requestId };
    });
    const request = connection.request({ type: "chat_message" });
    await platform.clock.advance(699);
    expect(last().sentOf("chat_message")).toHaveLength(1);
    await platform.clock.advance(1);
    expect(last().sentOf("chat_message")).toHaveLength(2);
    await platform.clock.advance(700);
    await request;
    expect(
      new Set(
        last()
          .sentOf("chat_message")
          .map(({ requestId }) => requestId),
      ).size,
    ).toBe(1);
  });

  it("reject if the rate limit lasts more than a few seconds, or is hit repeatedly", async () => {
    let retryAfterMs = 60_000;
    const { connection, platform } = await stageWith(({ type, requestId }) => {
      const error = { type: "error", code: "RATE_LIMITED", message: "Slow down", retryable: true };
      return type === "join_server" ? { ...error, retryAfterMs, requestId } : null;
    });
    const join = (): Promise<unknown> =>
      connection.request({ type: "join_server" }).catch((error: unknown) => error);
    expect(await join()).toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs: 60_000 });
    retryAfterMs = 100;
    const again = join();
    await platform.clock.advance(5_000);
    expect(await again).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 100 });
  });
});
