import { setTimeout as sleep } from "node:timers/promises";
import type { Credential } from "@hearth/contracts";
import { afterEach, beforeAll, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  type Device,
  join,
  openDevice,
  dialPlain,
  register,
} from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { metricsOf } from "../../src/server/metrics.ts";

/** The busiest minutes of legitimate users at the default limits: nothing is refused. */
const server = serverForTests({ asShipped: true });

const MEMBERS = 24;
const SERVERS = 20;
let people: Credential[] = [];
let servers: string[] = [];
const devices: Device[] = [];
const open = async (person: Credential): Promise<Device> => {
  const device = await openDevice(dialPlain, server.url, person);
  devices.push(device);
  return device;
};
const get = (path: string, token?: string) =>
  call(server.url, "GET", path, token === undefined ? {} : { token });

/** How often a budget, a quota or a limiter refused something since the server started. */
const refusals = async (): Promise<number> => {
  const metrics = await metricsOf(server);
  return (
    metrics.sum("hearth_gateway_budget_refusals_total") +
    metrics.sum("hearth_gateway_connections_refused_total") +
    metrics.sum("hearth_gateway_upgrades_total", { outcome: "RATE_LIMITED" }) +
    metrics.sum("hearth_presence_refusals_total", { code: "RATE_LIMITED" }) +
    metrics.sum("hearth_limiter_refusals_total")
  );
};

beforeAll(async () => {
  // Three at a time, like a class that signs up from one address.
  for (let from = 0; from < MEMBERS; from += 3)
    people = [...people, ...(await Promise.all([1, 2, 3].map(() => register(server.url))))];
  for (const owner of people.slice(0, 4))
    for (let n = 0; n < SERVERS / 4; n += 1)
      servers = [...servers, (await createServer(server.url, owner, { name: `Club ${n}` })).id];
}, 60_000);

let isFlood = false;
afterEach(async () => {
  if (!isFlood) expect(await refusals()).toBe(0);
  await Promise.all(devices.splice(0).map((device) => device.close()));
});

it("AB3 AB4 twenty-four users behind one address sign up, and four of them create five servers each", async () => {
  expect([people.length, servers.length]).toEqual([MEMBERS, SERVERS]);
});

it("AB2 AB3 they all open the client and look around at once", async () => {
  const paths = ["/api/health", "/api/users/registration", "/api/servers", "/api/servers/featured"];
  const answers = await Promise.all(people.flatMap(() => paths.map((path) => get(path))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

it("AB3 one of them types a search, and the client searches as the word grows", async () => {
  const { token } = people[5] ?? {};
  for (const query of ["c", "cl", "clu", "club", "club ", "club 3"]) {
    expect((await get(`/api/servers/search?q=${encodeURIComponent(query)}`, token)).status).toBe(200);
    await sleep(150);
  }
});

it("AB5 a user joins twenty servers, and three devices then reconnect to them at once", async () => {
  const [person] = people;
  if (!person) throw new Error("nobody signed up");
  const first = await open(person);
  // DI6 counts new members only: fewer than its 30 a minute.
  for (const id of servers) await join(first, id);
  const three = await Promise.all([1, 2, 3].map(() => open(person)));
  await Promise.all(three.flatMap((device) => servers.map((id) => join(device, id))));
});

it("AB5 twenty members each write a sentence in a second, type, react, and one pastes long texts", async () => {
  const [id = ""] = servers;
  const talkers = await Promise.all(people.slice(0, 20).map((person) => open(person)));
  await Promise.all(talkers.map((device) => join(device, id)));
  const say = (device: Device, content: string) =>
    device.ask({ type: "chat_message", serverId: id, message: { id: crypto.randomUUID(), content } });
  for (let second = 0; second < 4; second += 1) {
    for (const device of talkers) device.send({ type: "user_typing", serverId: id, isTyping: true });
    const said = await Promise.all(talkers.map((device) => say(device, `A sentence of second ${second}`)));
    expect(new Set(said.map(({ type }) => type))).toEqual(new Set(["ack"]));
    for (const device of talkers)
      device.send({ type: "reaction", serverId: id, messageId: "m", emoji: "+1" });
    await sleep(500);
  }
  const [first] = talkers;
  for (let n = 0; n < 5; n += 1) expect(await first?.ask({ type: "ping" })).toMatchObject({ type: "pong" });
  for (let n = 0; n < 5; n += 1) if (first) await say(first, "long ".repeat(3_000));
});

it("AB6 two friends write fast and call each other from four devices", async () => {
  const [id = ""] = servers;
  const [ada, ben] = people;
  if (!ada || !ben) throw new Error("nobody signed up");
  const mine = await Promise.all([1, 2].map(() => open(ada)));
  const theirs = await Promise.all([1, 2].map(() => open(ben)));
  await Promise.all([...mine, ...theirs].map((device) => join(device, id)));
  const [caller] = mine;
  for (let n = 0; n < 30; n += 1)
    await caller?.ask({
      type: "direct_message",
      toUserId: ben.id,
      message: { id: `${n}`, content: "And then?" },
    });
  for (const device of mine) {
    await device.ask({ type: "offer", toUserId: ben.id, sdp: "v=0" });
    for (let n = 0; n < 50; n += 1)
      device.send({
        type: "ice_candidate",
        toUserId: ben.id,
        candidate: "candidate:1 1 udp 1 192.0.2.1 9 typ host",
      });
    expect(await device.ask({ type: "ping" })).toMatchObject({ type: "pong" });
  }
});

it("AB3 AB4 a moderator ends a raid: forty bans and five invites within seconds", async () => {
  const [owner] = people;
  const [id = ""] = servers;
  for (let n = 0; n < 40; n += 1) {
    const { status } = await call(server.url, "PUT", `/api/servers/${id}/bans/${crypto.randomUUID()}`, {
      token: owner?.token ?? "",
      body: {},
    });
    expect(status).toBe(200);
  }
  for (let n = 0; n < 5; n += 1) {
    const options = { token: owner?.token ?? "", body: {} };
    expect((await call(server.url, "POST", `/api/servers/${id}/invites`, options)).status).toBeLessThan(300);
  }
});

it("AB3 only a flood is refused", async () => {
  isFlood = true;
  const { token = "" } = people[6] ?? {};
  const rename = () => call(server.url, "PATCH", "/api/users/me", { token, body: { displayName: "Six" } });
  const answers = await Promise.all(Array.from({ length: 150 }, rename));
  expect(answers.some(({ status }) => status === 429)).toBe(true);
  expect(await refusals()).toBeGreaterThan(0);
});
