import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { INTERNAL_PATHS, silentLog } from "@hearth/runtime";
import { freePort } from "@hearth/runtime/testing";
import { carry } from "../testing/carry.ts";
import { exchange, statusesOf, upgradeHead } from "../testing/raw-client.ts";
import { ACCEPTED } from "./upstream.contract.ts";
import { Replicas } from "./replicas.ts";
import { createRemoteUpstream } from "./upstream.remote.ts";

describe("several processes of one service", () => {
  const cleanUp: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of cleanUp.splice(0).reverse()) await end();
  });

  const serving = async (
    listener: RequestListener,
  ): Promise<{ server: Server; url: string; port: number }> => {
    const server = createServer(listener);
    server.on("upgrade", (_request, socket) => socket.end(ACCEPTED));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanUp.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { server, port, url: `http://127.0.0.1:${port}` };
  };
  const replicasOf = (urls: readonly string[], resolve?: (host: string) => Promise<readonly string[]>) => {
    const replicas = new Replicas({
      name: "auth",
      urls,
      log: silentLog,
      headers: { "x-hearth-secret": "a-secret-of-the-test" },
      connections: 4,
      connectTimeoutMs: 500,
      intervalMs: 60_000,
      ...(resolve && { resolve }),
    });
    cleanUp.push(() => replicas.close());
    return replicas;
  };
  const namesOf = (replicas: Replicas): string[] => replicas.inTurn().map(({ url }) => url);

  it("follows the addresses of a name as they come and go", async () => {
    let addresses: string[] = ["127.0.0.1"];
    let fails = false;
    const replicas = replicasOf(["http://auth.internal:9"], async () => {
      if (fails) throw new Error("no answer");
      return addresses;
    });
    await replicas.refresh();
    expect(namesOf(replicas)).toEqual(["http://127.0.0.1:9"]);
    addresses = ["127.0.0.2", "::1"];
    await replicas.refresh();
    expect(namesOf(replicas).sort()).toEqual(["http://127.0.0.2:9", "http://[::1]:9"]);
    fails = true;
    await replicas.refresh();
    expect(namesOf(replicas)).toHaveLength(2);
  });

  it("F13 sends nothing new to a process that is not ready, unless none is", async () => {
    let firstReady = true;
    let secondReady = true;
    const secrets = new Set<unknown>();
    const answering = (ready: () => boolean): RequestListener => {
      return ({ url, headers }, response) => {
        secrets.add(headers["x-hearth-secret"]);
        response.writeHead(url === INTERNAL_PATHS.ready && !ready() ? 503 : 200).end();
      };
    };
    const first = await serving(answering(() => firstReady));
    const second = await serving(answering(() => secondReady));
    const replicas = replicasOf([first.url, second.url]);
    await replicas.refresh();
    expect(new Set([replicas.inTurn()[0]?.url, replicas.inTurn()[0]?.url]).size).toBe(2);
    firstReady = false;
    await replicas.refresh();
    for (let n = 0; n < 4; n++) expect(namesOf(replicas)).toEqual([second.url, first.url]);
    secondReady = false;
    await replicas.refresh();
    expect(namesOf(replicas)).toHaveLength(2);
    firstReady = true;
    await replicas.refresh();
    expect(namesOf(replicas)[0]).toBe(first.url);
    expect([...secrets]).toEqual(["a-secret-of-the-test"]);
  });

  it("passes an upgrade to another process when one refuses the connection, unnoticed by the client", async () => {
    const { url } = await serving((_request, response) => void response.end());
    const dead = await Promise.all([freePort(), freePort()]);
    const upstream = createRemoteUpstream({
      name: "presence",
      urls: [`http://127.0.0.1:${dead[0]}`, url, `http://127.0.0.1:${dead[1]}`],
      log: silentLog,
      deadlineMs: 1_000,
    });
    cleanUp.push(() => upstream.close());
    const door = await carry(upstream);
    cleanUp.push(() => door.stop());
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => exchange(door.port, upgradeHead("/ws"))),
    );
    expect(answers.map((answer) => statusesOf(answer))).toEqual(Array.from({ length: 12 }, () => [101]));
  });
});
