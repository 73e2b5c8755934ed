import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { expectOk, freshName, register } from "../../src/client/index.ts";
import { findSchemathesis, fuzz } from "../../src/fuzzer/schemathesis.ts";
import type { FuzzRun } from "../../src/fuzzer/schemathesis.ts";
import { localLogin } from "../../src/local-api/calls.ts";
import { giveTo } from "../../src/local-api/device-data.ts";
import { type RunningLocalApi, startLocalApi } from "../../src/local-api/process.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const program = findSchemathesis();
const title = "requests made up from the local API's document";
const MINUTES = 60_000;

if (program === undefined) {
  describe.skip(`optional: ${title} (needs Schemathesis)`, () => it("run", () => undefined));
} else {
  describe(title, () => {
    const server = serverForTests();
    const username = freshName("owner");
    let local: RunningLocalApi;

    beforeAll(async () => {
      const account = await register(server.url, username);
      local = await startLocalApi({ args: ["--sample", "--allow", server.url] });
      giveTo(local.dataDir, { serverUrl: server.url, userId: account.id });
    }, 2 * MINUTES);
    afterAll(async () => {
      await local.stop();
      await local.cleanUp();
    });

    const expectAsDocumented = async (run: Pick<FuzzRun, "phases" | "seed" | "only" | "without">) => {
      const { token } = await localLogin(local.url, server.url, username);
      const [room] = await expectOk<readonly { id: string }[]>(local.url, "GET", "/api/rooms", { token });
      const { code, report } = await fuzz(program, {
        document: `${local.url}/api/openapi.json`,
        headers: { Authorization: `Bearer ${token}` },
        ...(run.seed !== 3 && { parameters: { "path.roomId": room?.id ?? "" } }),
        // OpenAPI cannot express that only the scope `server` needs a `serverId`.
        rules: [{ of: 'include-operation-id = "getPluginValue"', statuses: [200, 400, 401, 403, 404] }],
        ...run,
      });
      expect(code === 0 ? "" : report).toBe("");
      return Number(/Tested: (\d+)/.exec(report)?.[1]);
    };

    it.each([1, 2, 3])(
      "LA1 are answered as documented, seed %i",
      async (seed) => {
        const phases = ["examples", "coverage", "fuzzing", "stateful"] as const;
        expect(await expectAsDocumented({ phases, seed, without: ["logout"] })).toBeGreaterThan(15);
      },
      5 * MINUTES,
    );

    it(
      "LA1 are answered as documented by logout, which ends the session of the others",
      async () => {
        expect(await expectAsDocumented({ phases: ["coverage", "fuzzing"], seed: 1, only: ["logout"] })).toBe(
          1,
        );
      },
      MINUTES,
    );
  });
}
