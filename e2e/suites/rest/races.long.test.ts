import type { AccessRequest, Credential } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import { call, createServer, expectOk, login, register } from "../../src/client/index.ts";
import { Burst, expectKept, Ledger, writes } from "../../src/expectations/burst.ts";
import { MINUTES, SEED } from "../../src/expectations/races.ts";
import { seeded } from "../../src/seeded.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { startServer } from "../../src/server/process.ts";

const server = serverForTests({ env: { LOG_LEVEL: "error", TRUST_PROXY: "1" } });
let owner: Credential;

beforeAll(async () => {
  owner = await register(server.url, "owner");
});

describe("one record, two moderators", () => {
  it(
    "DI8 exactly one of two simultaneous decisions counts, 300 times",
    async () => {
      const club = await createServer(server.url, owner, { name: "Club", visibility: "private" });
      const random = seeded(SEED + 3);
      const asker = await register(server.url);
      const request = () =>
        expectOk<AccessRequest>(server.url, "POST", `/api/servers/${club.id}/requests`, {
          token: asker.token,
          body: {},
        });
      for (let run = 0; run < 300; run += 1) {
        const { id } = await request();
        const decide = async (status: string) => {
          await pause(random() * 3);
          return call(server.url, "PUT", `/api/requests/${id}`, { token: owner.token, body: { status } });
        };
        const answers = await Promise.all([decide("approved"), decide("rejected"), decide("rejected")]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
        const inside = await call(server.url, "POST", `/api/servers/${club.id}/leave`, {
          token: asker.token,
        });
        expect(inside.status === 204).toBe(answers[0].status === 200);
      }
    },
    5 * MINUTES,
  );

  it(
    "AU2 X10 exactly one of fifty simultaneous registrations of a name succeeds, 5 times",
    async () => {
      for (let run = 0; run < 5; run += 1) {
        const spelling = (index: number): string =>
          index % 2 === 0 ? `Contested-${run}` : `contested-${run}`;
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            call(server.url, "POST", "/api/users/register", {
              body: { username: spelling(index), password: "correct horse battery" },
              headers: { "x-forwarded-for": `203.0.${run}.${index}` },
            }),
          ),
        );
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 201)).toHaveLength(1);
        expect(statuses.filter((status) => status === 409)).toHaveLength(49);
        await login(server.url, `contested-${run}`);
      }
    },
    5 * MINUTES,
  );
});

describe("a server killed again and again", () => {
  it(
    "ER6 I1 F17 ten kills during writes lose no acknowledged write",
    async () => {
      const env = { TRUST_PROXY: "1", LOG_LEVEL: "error" };
      const random = seeded(SEED + 4);
      const ledger = new Ledger();
      let victim = await startServer({ env });
      try {
        const first = await register(victim.url, "first");
        for (let kills = 0; kills < 10; kills += 1) {
          const burst = new Burst(victim.url, ledger).run(first);
          await writes(ledger, 20 + Math.floor(random() * 150));
          expect(await victim.stop("SIGKILL")).toBe("SIGKILL");
          await burst;
          victim = await startServer({ env, dataDir: victim.dataDir });
          await expectKept(victim.url, ledger);
        }
      } finally {
        await victim.stop();
        await victim.cleanUp();
      }
    },
    10 * MINUTES,
  );
});
