import { gatewaySubjects } from "@hearth/contracts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { HANDSHAKE, dial, exchange, statusesOf, upgradeHead } from "../testing/raw-client.ts";
import type { RawClient } from "../testing/raw-client.ts";
import { GATEWAY_ID, createWorld } from "../testing/world.ts";
import type { Twin, World, WorldOptions } from "../testing/world.ts";

const without = (name: string): string[] => HANDSHAKE.filter((line) => !line.startsWith(`${name}:`));
const SOCKET_IO = "/socket.io/?EIO=4&transport=websocket";

async function connected(world: World, path = "/ws", lines: readonly string[] = []): Promise<RawClient> {
  const client = await dial(world.port);
  client.send(upgradeHead(path, lines));
  await client.until("101 Switching Protocols");
  return client;
}

const refused = async (
  world: World,
  bytes: string,
): Promise<{ status: number | undefined; received: string }> => {
  const received = await exchange(world.port, bytes);
  expect(statusesOf(received)).toHaveLength(1);
  expect(received).toContain("application/problem+json");
  expect(received).toMatch(/x-content-type-options: nosniff/i);
  return { status: statusesOf(received)[0], received };
};

describe.each<Twin>(["local", "remote"])("upgrades to a %s presence", (twin) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ twin, variables: { corsAllowlist: ["https://app.test"] } });
  });
  afterAll(() => world.close());

  it.each(["/ws", "/ws/", "/", SOCKET_IO, "/ws?x=1"])("GW1 %s leads to presence", async (path) => {
    const client = await connected(world, path);
    expect(world.arrivals.at(-1)).toMatchObject({ service: "presence", url: path });
    client.send("bytes");
    await client.until("bytes");
    client.close();
  });

  it("GW6 S2 forged headers are stripped, and the address is replaced", async () => {
    const forged = [
      "X-User-Id: admin",
      "X-Internal-User: admin",
      "X-Forwarded-For: 6.6.6.6",
      "Forwarded: for=6.6.6.6",
      "X-Real-IP: 6.6.6.6",
      "X-Request-Id: theirs",
      "Authorization: Bearer admin",
      "Cookie: session=admin",
      "X-Hearth-Gateway: admin",
      "X-Hearth-Secret: admin",
    ];
    const client = await connected(world, "/ws", forged);
    const { headers, rawHeaders } = world.arrivals.at(-1) ?? {};
    const seen = JSON.stringify([headers, rawHeaders]);
    for (const secret of ["admin", "6.6.6.6", "theirs"]) expect(seen).not.toContain(secret);
    expect(headers?.["x-forwarded-for"]).toBe("127.0.0.1");
    client.close();
  });

  it.each(["/api/users/me", "/nothing", "/wss", "/ws/x", "/socket.io/x", "/WS", "//ws", "/docs"])(
    "GW6 W25 an upgrade on %s is 404",
    async (path) => {
      expect((await refused(world, upgradeHead(path))).status).toBe(404);
    },
  );

  it.each(["/ws/../ws", "/%77s%2f", "/%00"])("GW6 an upgrade on %s is 400", async (path) => {
    expect((await refused(world, upgradeHead(path))).status).toBe(400);
  });

  it.each([
    "https://evil.test",
    "null",
    "https://app.test.evil.test",
    "http://app.test",
    "https://app.test:8443",
  ])("GW4 GW6 W24 S3 origin %s is 403 at both doors", async (origin) => {
    for (const path of ["/ws", SOCKET_IO]) {
      const { status } = await refused(world, upgradeHead(path, [`Origin: ${origin}`]));
      expect(status).toBe(403);
    }
  });

  it("GW4 GW6 W24 a listed origin may connect, and so may a client without one", async () => {
    for (const lines of [["Origin: https://app.test"], []]) (await connected(world, "/ws", lines)).close();
  });

  it("GW6 W25 another version is 426, and the answer names the served one", async () => {
    for (const lines of [["Sec-WebSocket-Version: 12"], []]) {
      const bytes = upgradeHead("/ws", lines, without("Sec-WebSocket-Version"));
      const { status, received } = await refused(world, bytes);
      expect(status).toBe(426);
      expect(received).toMatch(/sec-websocket-version: 13\r\n/i);
    }
  });

  it.each([
    ["no key", upgradeHead("/ws", [], without("Sec-WebSocket-Key"))],
    ["a bad key", upgradeHead("/ws", ["Sec-WebSocket-Key: short"], without("Sec-WebSocket-Key"))],
    ["two keys", upgradeHead("/ws", ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="])],
    ["a body", upgradeHead("/ws", ["Content-Length: 5"])],
    ["a chunked body", upgradeHead("/ws", ["Transfer-Encoding: chunked"])],
    ["POST", upgradeHead("/ws").replace("GET", "POST")],
    ["two Hosts", upgradeHead("/ws", ["Host: other.test"])],
    ["another transport of Socket.IO", upgradeHead("/socket.io/?EIO=4&transport=polling")],
    ["no transport of Socket.IO", upgradeHead("/socket.io/?EIO=4")],
  ])("GW6 W25 an upgrade with %s is 400", async (_case, bytes) => {
    const arrivals = world.arrivals.length;
    expect((await refused(world, bytes)).status).toBe(400);
    expect(world.arrivals.length).toBe(arrivals);
  });

  it("S4 nothing behind a refused upgrade is read as a request", async () => {
    const arrivals = world.arrivals.length;
    await refused(world, `${upgradeHead("/nothing")}GET /api/servers HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(world.arrivals.length).toBe(arrivals);
  });

  it.each(["/socket.io/?EIO=4&transport=polling", "/socket.io/", "/ws"])(
    "GW1 %s without an upgrade is 400 and says what is served",
    async (path) => {
      const answer = await world.fetch(path);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("WebSocket") as unknown });
    },
  );
});

describe("upgrades", () => {
  let world: World;
  const start = async (options: WorldOptions): Promise<World> => (world = await createWorld(options));
  afterEach(() => world.close());

  it("GW6 S13 open sockets of an address are counted until they close", async () => {
    await start({ env: { MAX_SOCKETS_PER_ADDRESS: "3" } });
    const clients = [await connected(world), await connected(world), await connected(world)];
    const { status, received } = await refused(world, upgradeHead("/ws"));
    expect([status, received]).toEqual([429, expect.stringMatching(/retry-after: \d+/i)]);
    expect(await world.metrics.text()).toMatch(/hearth_gateway_open_sockets 3\n/);
    expect((await world.fetch("/api/servers")).status).toBe(200);
    const [first] = clients;
    first?.socket.end();
    await first?.untilEnd();
    (await connected(world)).close();
    for (const client of clients) client.close();
  });

  it("GW6 S13 a burst cannot pass the limit together", async () => {
    await start({ env: { MAX_SOCKETS_PER_ADDRESS: "5" } });
    const clients = await Promise.all(Array.from({ length: 20 }, () => dial(world.port)));
    for (const client of clients) client.send(upgradeHead("/ws"));
    const answers = await Promise.all(clients.map((client) => client.until("\r\n\r\n")));
    expect(answers.flatMap(statusesOf).filter((status) => status === 101)).toHaveLength(5);
    for (const client of clients) client.close();
  });

  it("GW6 refused upgrades do not count as open sockets", async () => {
    await start({ env: { MAX_SOCKETS_PER_ADDRESS: "1" } });
    for (let round = 0; round < 5; round += 1) await refused(world, upgradeHead("/nothing"));
    (await connected(world)).close();
  });

  it("GW6 ER5 upgrades are limited per minute and address", async () => {
    await start({ env: { MAX_UPGRADES_PER_MINUTE: "2", TRUST_PROXY: "1" } });
    const from = (address: string) => ["X-Forwarded-For: 6.6.6.6, " + address];
    const clients = [
      await connected(world, "/ws", from("203.0.113.7")),
      await connected(world, "/ws", from("203.0.113.7")),
    ];
    const { status, received } = await refused(world, upgradeHead("/ws", from("203.0.113.7")));
    expect(status).toBe(429);
    for (const header of ["Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Limit"]) {
      expect(received).toContain(`\r\n${header}: `);
    }
    clients.push(await connected(world, "/ws", from("203.0.113.8")));
    for (const client of clients) client.close();
  });

  it("S6 an IPv6 /64 counts as one address", async () => {
    await start({ env: { MAX_SOCKETS_PER_ADDRESS: "1", TRUST_PROXY: "1" } });
    const client = await connected(world, "/ws", ["X-Forwarded-For: 2001:db8::1"]);
    expect((await refused(world, upgradeHead("/ws", ["X-Forwarded-For: 2001:db8::ffff"]))).status).toBe(429);
    (await connected(world, "/ws", ["X-Forwarded-For: 2001:db8:0:1::1"])).close();
    client.close();
  });

  it("GW6 a limit of 0 is no limit", async () => {
    await start({ env: { MAX_SOCKETS_PER_ADDRESS: "0", MAX_UPGRADES_PER_MINUTE: "0" } });
    const clients = await Promise.all(Array.from({ length: 20 }, () => connected(world)));
    for (const client of clients) client.close();
  });

  it("GW5 an upgrade is 503 with Retry-After while presence is not ready", async () => {
    await start({});
    world.services.presence.setReady(false);
    const { status, received } = await refused(world, upgradeHead("/ws"));
    expect([status, received]).toEqual([503, expect.stringMatching(/retry-after: \d/i)]);
    world.services.presence.setReady(true);
    (await connected(world)).close();
  });

  it("WS15 upgrades are 503 once the gateway stops", async () => {
    await start({});
    await world.gateway.stop();
    expect((await refused(world, upgradeHead("/ws"))).status).toBe(503);
  });

  it("counts upgrades by outcome", async () => {
    await start({});
    (await connected(world)).close();
    await refused(world, upgradeHead("/nothing"));
    const text = await world.metrics.text();
    expect(text).toMatch(/hearth_gateway_upgrades_total\{outcome="accepted"\} 1/);
    expect(text).toMatch(/hearth_gateway_upgrades_total\{outcome="NOT_FOUND"\} 1/);
  });
});

describe("WS15 a gateway that stops before remote services", () => {
  it("notifies its sockets, waits until they have left, and accepts no others", async () => {
    const world = await createWorld({ twin: "remote" });
    const client = await connected(world);
    expect(world.arrivals.at(-1)?.headers["x-hearth-gateway"]).toBe(GATEWAY_ID);
    const order: string[] = [];
    world.bus.subscribe(gatewaySubjects.leaving, async ({ gatewayId }) => {
      order.push(`leaving ${gatewayId}`);
      expect((await refused(world, upgradeHead("/ws"))).status).toBe(503);
      order.push("left");
      client.close();
    });
    await world.gateway.stop();
    order.push("stopped");
    expect(order).toEqual([`leaving ${GATEWAY_ID}`, "left", "stopped"]);
    await world.close();
  });

  it("stops at once without sockets, and without notice when the bus is down", async () => {
    const world = await createWorld({ twin: "remote" });
    const client = await connected(world);
    await world.bus.close();
    await world.gateway.stop();
    await client.untilEnd();
    expect(world.log.lines.join("")).toContain("sockets are cut without a word");
    await world.close();
  });
});
