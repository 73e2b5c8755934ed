import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import {
  call,
  createServer,
  type Device,
  dialPlain,
  join,
  login,
  openDevice,
  register,
  settled,
} from "../../src/client/index.ts";
import { findEngine } from "../../src/containers/engine.ts";
import { Stack } from "../../src/containers/stack.ts";
import { playStory } from "../../src/demo/story.ts";
import { Transcript } from "../../src/demo/transcript.ts";

class Unsaid extends Transcript {
  override title(): void {}
  override scene(): void {}
  override does(): void {}
  override hears(): void {}
  override remark(): void {}
}

const SERVICES = ["gateway", "auth-service", "presence-service", "discovery-service", "sync-service"];
const INFRASTRUCTURE = ["nats", "redis", "mongo"];
const SOCKETS = `fetch("http://127.0.0.1:9464/metrics").then((r) => r.text()).then((text) =>
  console.log(text.split("\\n").filter((line) => line.startsWith("hearth_presence_identified_connections "))
    .map((line) => line.split(" ")[1]).join()))`;

const engine = findEngine();
const title = "the containers";

if (typeof engine === "string") {
  describe.skip(`optional: ${title} (needs a container engine: ${engine})`, () => it("run", () => undefined));
} else {
  describe(title, () => {
    let stack: Stack;
    /** A gateway that does not listen yet is not healthy either. */
    const isWell = async (): Promise<boolean> =>
      call<{ status: string }>(stack.url, "GET", "/api/health").then(
        ({ body }) => body.status === "ok",
        () => false,
      );

    beforeAll(async () => {
      stack = await Stack.prepare(engine);
      await stack.compose("build");
      await stack.compose("up", "-d");
    }, 600_000);

    afterAll(async () => {
      await stack.compose("down", "-v", "--timeout", "20");
    }, 120_000);

    it("start with one command, all healthy", async () => {
      const up = await stack.containers();
      expect(up.map(({ service }) => service).sort()).toEqual([...SERVICES, ...INFRASTRUCTURE].sort());
      const states = () =>
        stack.docker("inspect", "--format", "{{.State.Health.Status}}", ...up.map(({ id }) => id));
      await until(
        async () =>
          (await states())
            .trim()
            .split("\n")
            .every((state) => state === "healthy"),
        60_000,
      );
      expect(await isWell()).toBe(true);
    }, 90_000);

    it("only the gateway is reachable from outside", async () => {
      const published = await stack.docker(
        "ps",
        "--filter",
        `label=com.docker.compose.project=${stack.project}`,
        "--format",
        '{{.Label "com.docker.compose.service"}} {{.Ports}}',
      );
      const open = published
        .trim()
        .split("\n")
        .filter((line) => line.includes("->"));
      expect(open).toHaveLength(1);
      expect(open[0]).toMatch(/^gateway .*127\.0\.0\.1:\d+->8080/);
      const [presence] = await stack.containers("presence-service");
      if (!presence) throw new Error("there is no presence-service");
      const dialled = `require("net").connect(27017, "mongo").on("connect", () => console.log("reached")).on("error", () => console.log("refused"))`;
      expect(await stack.evaluate(presence, dialled)).toBe("refused");
      const asked = `fetch("http://discovery-service:8080/servers/featured").then((r) => console.log(r.status))`;
      expect(await stack.evaluate(presence, asked)).toBe("403");
    }, 60_000);

    it("run without privileges, cannot write to their images and see only their own secrets", async () => {
      for (const service of SERVICES) {
        const [container] = await stack.containers(service);
        if (!container) throw new Error(`there is no ${service}`);
        const told = `const fs = require("fs"); let wrote = true; try { fs.writeFileSync("/app/x", "") } catch { wrote = false }
          console.log(JSON.stringify({ root: process.getuid() === 0, wrote, secrets: fs.readdirSync("/secrets") }))`;
        const { secrets, ...rest } = JSON.parse(await stack.evaluate(container, told)) as {
          secrets: string[];
        };
        expect(rest).toEqual({ root: false, wrote: false });
        expect(secrets.includes("mongodb")).toBe(["auth-service", "discovery-service"].includes(service));
        expect(secrets.includes("nats")).toBe(true);
      }
    }, 60_000);

    it("serve accounts, servers, chat, devices and voice through both doors", async () => {
      await playStory(stack.url, new Unsaid());
    }, 60_000);

    it("AB11 the operator suspends a user and deletes a server; the audit log has both", async () => {
      const command = (service: string, ...args: string[]) =>
        stack.compose("exec", "-T", service, "node", `${service}/src/operator/main.ts`, ...args);
      const person = await register(stack.url);
      const other = await register(stack.url);
      const room = await createServer(stack.url, other, { name: "Spam" });
      const device = await openDevice(dialPlain, stack.url, person);
      await command("auth-service", "users", "suspend", person.username);
      expect((await device.closed).code).toBeGreaterThanOrEqual(4000);
      await command("discovery-service", "delete", room.id);
      const { status } = await call(stack.url, "GET", `/api/servers/${room.id}`, { token: other.token });
      expect(status).toBe(404);
      const log = await command("auth-service", "audit", "list");
      for (const target of [person.username, room.id])
        expect(log.split("\n").filter((line) => line.includes(target))).toHaveLength(2);
    }, 120_000);

    it("WS15 three presence nodes behave as one, and a node that stops tells its clients to reconnect", async () => {
      await stack.compose("up", "-d", "--scale", "presence-service=3", "--scale", "auth-service=2");
      const nodes = await stack.containers("presence-service");
      expect(nodes).toHaveLength(3);
      const owner = await register(stack.url);
      const room = await createServer(stack.url, owner, { name: "Three nodes" });
      const counts = async () =>
        (await Promise.all(nodes.map((node) => stack.evaluate(node, SOCKETS)))).map(Number);
      const people: Device[] = [];
      await until(async () => {
        const person = await openDevice(dialPlain, stack.url, await register(stack.url));
        await join(person, room.id);
        people.push(person);
        return Math.min(...(await counts())) > 0;
      }, 90_000);
      const [sender, ...others] = people as [Device, ...Device[]];
      const message = { id: crypto.randomUUID(), content: "hello, nodes" };
      const ack = await sender.ask({
        type: "chat_message",
        serverId: room.id,
        channelId: room.channels[0]?.id,
        message,
      });
      expect(ack.type).not.toBe("error");
      for (const other of others)
        expect((await other.inbox.next("chat_message"))["message"]).toEqual(message);
      await settled(...people);
      expect(others.map(({ inbox }) => inbox.count("chat_message"))).toEqual(others.map(() => 1));

      const closed = Promise.race(people.map(async ({ closed: end }) => (await end).code));
      const [first] = nodes;
      await stack.docker("stop", "--time", "20", first?.id ?? "");
      expect(await closed).toBe(4001);
      const [state] = (
        await stack.docker("inspect", "--format", "{{.State.ExitCode}}", first?.id ?? "")
      ).split("\n");
      expect(state).toBe("0");
      const again = await openDevice(dialPlain, stack.url, await register(stack.url));
      expect((await join(again, room.id))["serverId"]).toBe(room.id);
      await Promise.all([...people, again].map((person) => person.close()));
    }, 240_000);

    it("keep accounts and servers over down and up", async () => {
      const person = await register(stack.url);
      const room = await createServer(stack.url, person, { name: "Still here" });
      await stack.compose("down", "--timeout", "20");
      await stack.compose("up", "-d");
      await until(isWell, 60_000);
      const { token } = await login(stack.url, person.username);
      expect((await call(stack.url, "GET", `/api/servers/${room.id}`, { token })).status).toBe(200);
      expect((await call(stack.url, "GET", `/api/servers/${room.id}`, { token: person.token })).status).toBe(
        200,
      );
    }, 240_000);
  });
}
