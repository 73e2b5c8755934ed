import { connect } from "node:net";
import { expect, it } from "@jest/globals";
import {
  authSubjects,
  discoverySubjects,
  healthSubject,
  presenceSubjects,
  syncSubjects,
} from "@hearth/contracts";
import { call, register } from "../../src/client/index.ts";
import { requestText, sendRaw } from "../../src/client/raw-http.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { describeCluster } from "../../src/faults/cluster-for-tests.ts";
import { type NatsIdentity, refusedByNats } from "../../src/server/nats-identity.ts";

const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** The response to one line on a bare connection. */
const said = (port: number, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(line));
    socket.once("error", reject).once("data", (chunk: Buffer) => {
      socket.destroy();
      resolve(chunk.toString());
    });
  });

describeCluster(
  "the internal doors of a cluster",
  (cluster) => {
    const identity = (service: string): NatsIdentity => ({
      port: cluster().nats.port,
      user: service,
      password: cluster().passwords.nats[service] ?? "",
    });

    it("GW2 S2 a service reached directly refuses every request, with or without a session", async () => {
      const { token } = await register(cluster().url);
      const forged = { "x-user-id": "admin", "x-hearth-secret": "a guess that is long enough" };
      for (const { url } of [...cluster().auth, ...cluster().discovery, ...cluster().presence]) {
        for (const path of ["/api/users/me", "/api/servers", "/internal/ready", "/"]) {
          expectProblem(await call(url, "GET", path), "FORBIDDEN");
          expectProblem(await call(url, "GET", path, { token }), "FORBIDDEN");
          expectProblem(await call(url, "GET", path, { token, headers: forged }), "FORBIDDEN");
        }
      }
    });

    it("GW2 S2 it refuses every upgrade, with or without a session", async () => {
      const { token } = await register(cluster().url);
      for (const { url } of [...cluster().presence, ...cluster().auth, ...cluster().discovery]) {
        for (const target of ["/ws", "/socket.io/?EIO=4&transport=websocket"]) {
          for (const more of [[], [`Authorization: Bearer ${token}`], ["x-hearth-secret: guessed"]]) {
            const answer = await sendRaw(url, requestText(url, "GET", target, [...UPGRADE, ...more]));
            expect([url, target, answer.status]).toEqual([url, target, 403]);
          }
        }
      }
    });

    it("S10 Redis and NATS refuse connections without a password", async () => {
      expect(await said(cluster().redis.port, "PING\r\n")).toMatch(/^-NOAUTH/);
      expect(await refusedByNats({ ...identity("presence"), password: "a wrong one" }, [])).toMatch(
        /Authorization Violation/,
      );
    });

    it.each([
      ["presence", authSubjects.sessionEnded.name],
      ["presence", discoverySubjects.membershipEnded.name],
      ["presence", syncSubjects.deliver.name],
      ["presence", "_INBOX.gateway.x"],
      ["gateway", authSubjects.sessionEnded.name],
      ["gateway", authSubjects.verify.name],
      ["gateway", authSubjects.ended.name],
      ["sync", authSubjects.verify.name],
      ["discovery", authSubjects.exchange.name],
      ["discovery", authSubjects.sessionEnded.name],
    ])("S10 the identity of %s cannot say %s", async (service, subject) => {
      expect(await refusedByNats(identity(service), [`PUB ${subject} 2\r\n{}`])).toMatch(
        /Permissions Violation/,
      );
    });

    it.each([
      ["presence", authSubjects.verify.name],
      ["presence", authSubjects.exchange.name],
      ["presence", "_INBOX.gateway.>"],
      ["presence", ">"],
      ["gateway", presenceSubjects.online.name],
      ["gateway", "_INBOX.>"],
      ["sync", syncSubjects.deliver.name],
      ["discovery", authSubjects.sessionEnded.name],
      ["discovery", healthSubject("auth").name],
    ])("S10 the identity of %s cannot hear %s", async (service, subject) => {
      expect(await refusedByNats(identity(service), [`SUB ${subject} 1`])).toMatch(/Permissions Violation/);
    });

    it("S10 each service may publish and subscribe to what it needs", async () => {
      const all = { ...authSubjects, ...discoverySubjects, ...presenceSubjects, ...syncSubjects };
      expect(Object.keys(all).length).toBeGreaterThan(12);
      expect(
        await refusedByNats(identity("presence"), ["SUB presence.online 1", `PUB auth.verify 2\r\n{}`]),
      ).toBe("");
    });
  },
  { gateways: 1, auth: 1, presence: 1, discovery: 1, sync: 1 },
);
