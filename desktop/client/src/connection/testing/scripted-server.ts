import type { ClientLimits } from "@hearth/contracts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { FakeSocket } from "../../testing/fake-socket.ts";

export const TEST_LIMITS: ClientLimits = {
  messageBytes: 65_536,
  accountSyncBytes: 1_048_576,
  messagesPerSecond: 60,
  burst: 240,
};

export const ADA = {
  token: "a".repeat(64),
  userId: "01900000-0000-7000-8000-0000000000ad",
};

/** The server's reaction to a message; `null` for none. */
export type Reply = (message: Record<string, unknown>, socket: FakeSocket, now: number) => object | null;

const identified = (message: Record<string, unknown>, serverTime: number): object => ({
  type: "identified",
  oderId: message["oderId"],
  displayName: "Ada",
  connectionId: "c1",
  clientInstanceId: message["clientInstanceId"],
  connectionScope: message["connectionScope"],
  sessionExpiresAt: serverTime + 1_000_000,
  serverTime,
  heartbeatMs: 25_000,
  limits: TEST_LIMITS,
  requestId: message["requestId"],
});

const acknowledged = ({ type, requestId }: Record<string, unknown>): object | null =>
  requestId === undefined ? null : { type: "ack", inReplyTo: type, requestId };

/** Serves every dialled socket like the product, except for messages that `reply` handles. */
export function serveSockets(platform: FakePlatform, reply: Reply = () => null, aheadMs = 0): void {
  platform.onDial = (socket) => {
    queueMicrotask(() => {
      if (socket.closedWith === null) socket.open();
    });
    socket.onSent = (message) => {
      const now = platform.now() + aheadMs;
      const own = reply(message, socket, now);
      if (own) socket.receive(own);
      else if (message["type"] === "identify") socket.receive(identified(message, now));
      else if (message["type"] === "ping") socket.receive({ type: "pong", serverTime: now });
      else {
        const ack = acknowledged(message);
        if (ack) socket.receive(ack);
      }
    };
  };
}
