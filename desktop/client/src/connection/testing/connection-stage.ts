import { settled } from "../../testing/fake-clock.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { FakeSocket } from "../../testing/fake-socket.ts";
import type { Incoming } from "../connection.ts";
import { createConnection } from "../create-connection.ts";
import { ADA, serveSockets } from "./scripted-server.ts";
import type { Reply } from "./scripted-server.ts";

export const SERVER_ID = "01900000-0000-7000-8000-000000000001";

export interface Stage {
  readonly platform: FakePlatform;
  readonly connection: ReturnType<typeof createConnection>;
  readonly failures: (readonly [string, string])[];
  /** Without `identified`, which every connection begins with. */
  readonly heard: Incoming[];
  readonly greetings: Incoming[];
  readonly last: () => FakeSocket;
  readonly status: () => string;
  /** How long it waits before it dials again. */
  readonly delay: () => number;
}

export async function stageWith(reply?: Reply, aheadMs = 0): Promise<Stage> {
  const platform = createFakePlatform({ seed: 7 });
  serveSockets(platform, reply, aheadMs);
  const failures: [string, string][] = [];
  const heard: Incoming[] = [];
  const greetings: Incoming[] = [];
  const stage: Stage = {
    platform,
    failures,
    heard,
    greetings,
    connection: createConnection({
      platform,
      url: "https://home.example",
      instanceId: () => "01900000-0000-7000-8000-0000000000aa",
      credentials: () => ADA,
      onAuthFailure: (...failure) => void failures.push(failure),
    }),
    last: () => {
      const socket = platform.sockets.at(-1);
      if (!socket) throw new Error("nothing was dialled");
      return socket;
    },
    status: () => stage.connection.state.getState().status,
    delay: () => (stage.connection.state.getState().retryAt ?? 0) - platform.now(),
  };
  stage.connection.on((message) => void (message.type === "identified" ? greetings : heard).push(message));
  stage.connection.open();
  await settled();
  return stage;
}

export const closing = (closeCode: number, more: object = {}): object => ({
  type: "closing",
  closeCode,
  reason: "because",
  message: "Because",
  reconnect: closeCode < 4500,
  ...more,
});

export function networkReturns(platform: FakePlatform): void {
  platform.attend({ isOnline: false });
  platform.attend({ isOnline: true });
}
