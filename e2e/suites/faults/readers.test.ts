import { CLOSE } from "@hearth/contracts";
import { expect, it } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import { createServer, dialRaw, register } from "../../src/client/index.ts";
import { describeCluster } from "../../src/faults/cluster-for-tests.ts";
import { EVERYTHING } from "../../src/faults/faulty-tests.ts";
import { underFault } from "../../src/faults/faulty-run.ts";
import { freeze } from "../../src/faults/strikes.ts";
import { LOUD } from "../../src/server/member.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const LIMIT_MS = 120_000;
const MESSAGES = 400;
const PER_SECOND = 40;

describeCluster(
  "clients and nodes that do not keep up",
  (cluster) => {
    it(
      "F12 a node closes a client that stops reading, and nobody else notices",
      async () => {
        const { url, presence } = cluster();
        const [slowOne, speaker] = [await register(url), await register(url)];
        const { id: serverId } = await createServer(url, speaker, { name: "The flood" });
        const enter = async ({ token }: { readonly token: string }) => {
          const socket = await dialRaw(url, "plain");
          socket.say(JSON.stringify({ type: "identify", token }));
          socket.say(JSON.stringify({ type: "join_server", serverId }));
          await socket.inbox.next("server_joined");
          return socket;
        };
        const [slow, loud, reader] = [await enter(slowOne), await enter(speaker), await enter(speaker)];
        slow.webSocket.pause();
        const closes = async (): Promise<number> => {
          const counts = await Promise.all(presence.map((node) => metricsOf(node)));
          const labels = { code: String(CLOSE.SLOW_READER.code) };
          return counts.reduce((sum, count) => sum + count.sum("hearth_presence_closes_total", labels), 0);
        };
        await underFault(cluster(), {
          name: "F12",
          disturbs: [],
          strike: async () => {
            for (let sent = 0; sent < MESSAGES; sent += 1) {
              const message = { id: `flood ${sent}`, content: "x".repeat(60_000) };
              loud.say(JSON.stringify({ type: "chat_message", serverId, message }));
              await pause(1_000 / PER_SECOND);
            }
          },
        });
        expect(await closes()).toBe(1);
        expect(reader.inbox.count("chat_message")).toBe(MESSAGES);
        slow.webSocket.terminate();
        await Promise.all([loud.close(), reader.close()]);
      },
      LIMIT_MS,
    );

    it(
      "F12 F15 a presence node that was frozen closes the sessions that ended meanwhile",
      async () => {
        const strike = () => freeze(cluster().presence[0] ?? cluster().nats, 5_000);
        await underFault(cluster(), { name: "F15", disturbs: EVERYTHING, strike });
      },
      LIMIT_MS,
    );
  },
  { env: LOUD },
);
