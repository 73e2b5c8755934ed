import { describe, expect, it } from "@jest/globals";
import { createServer, expectOk, register } from "../../src/client/index.ts";
import { findSchemathesis, fuzz } from "../../src/fuzzer/schemathesis.ts";
import type { FuzzRun } from "../../src/fuzzer/schemathesis.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const program = findSchemathesis();
const title = "requests made up from the OpenAPI document";
const MINUTES = 60_000;

/** They end the session, the account or the server that all other requests of the run need. */
const ENDINGS = [
  ["endSession", "endOtherSessions", "changePassword", "transferServer"],
  ["deleteServer", "deleteAccount"],
  ["logout"],
] as const;

/** 429 to everything would prove nothing. */
const WITHOUT_BUDGETS = {
  MAX_ACCOUNT_WRITES_PER_SECOND: "0",
  MAX_ADDRESS_WRITES_PER_SECOND: "0",
  MAX_ADDRESS_SEARCHES_PER_SECOND: "0",
  MAX_ADDRESS_READS_PER_SECOND: "0",
  MAX_SERVERS_OWNED: "100000",
  MAX_SERVERS_MADE_PER_HOUR: "100000",
};

if (program === undefined) {
  describe.skip(`optional: ${title} (needs Schemathesis)`, () => it("run", () => undefined));
} else {
  describe(title, () => {
    const server = serverForTests({ env: { TRUST_PROXY: "1", BCRYPT_COST: "10", ...WITHOUT_BUDGETS } });
    let addresses = 0;

    /** Uses its own account and address, and a server with a second member. */
    const expectAsDocumented = async (run: Pick<FuzzRun, "phases" | "seed" | "only" | "without">) => {
      const [account, other] = [await register(server.url), await register(server.url)];
      const { id } = await createServer(server.url, account, { name: "The fuzzer's" });
      await expectOk(server.url, "POST", `/api/servers/${id}/join`, { token: other.token });
      const { code: invite } = await expectOk<{ code: string }>(
        ...[server.url, "POST", `/api/servers/${id}/invites`],
        { token: account.token, body: {} },
      );
      addresses += 1;
      const { code, report } = await fuzz(program, {
        document: `${server.url}/api/openapi.json`,
        headers: { Authorization: `Bearer ${account.token}`, "X-Forwarded-For": `192.0.2.${addresses}` },
        // Ids that exist, except for one seed.
        ...(run.seed !== 3 && {
          parameters: { "path.id": id, "path.userId": other.id, "path.code": invite },
          rules: [{ of: 'include-tag = "Device tokens"', parameters: { "path.userId": account.id } }],
        }),
        ...run,
      });
      expect(code === 0 ? "" : report).toBe("");
      return Number(/Tested: (\d+)/.exec(report)?.[1]);
    };

    it(
      "GW1 are answered as documented, at each bound of each schema",
      async () => {
        const phases = ["examples", "coverage"] as const;
        expect(await expectAsDocumented({ phases, seed: 1, without: ENDINGS.flat() })).toBeGreaterThan(35);
      },
      5 * MINUTES,
    );

    it.each([1, 2, 3])(
      "GW1 are answered as documented, seed %i",
      async (seed) => {
        const phases = ["fuzzing", "stateful"] as const;
        expect(await expectAsDocumented({ phases, seed, without: ENDINGS.flat() })).toBeGreaterThan(35);
      },
      5 * MINUTES,
    );

    it.each(ENDINGS)(
      "GW1 are answered as documented by operations that end the session, the account or the server: %s …",
      async (...only) => {
        const phases = ["coverage", "fuzzing"] as const;
        expect(await expectAsDocumented({ phases, seed: 1, only })).toBe(only.length);
      },
      2 * MINUTES,
    );
  });
}
