import { describe, expect, it } from "@jest/globals";
import { createServer, register } from "../src/client/index.ts";
import { findSchemathesis, fuzz } from "../src/fuzzer/schemathesis.ts";
import { serverForTests } from "../src/server/for-tests.ts";

const program = findSchemathesis();
const title = "requests made up from the OpenAPI document";

/** They end the session, the account or the server that all other requests need. */
const ENDINGS = [
  ...["logout", "endSession", "endOtherSessions", "changePassword", "deleteAccount"],
  ...["deleteServer", "transferServer"],
];

if (program === undefined) {
  describe.skip(`optional: ${title} (needs Schemathesis)`, () => it("run", () => undefined));
} else {
  describe(title, () => {
    const server = serverForTests({
      env: { TRUST_PROXY: "1", MAX_SERVERS_OWNED: "1000", MAX_SERVERS_MADE_PER_HOUR: "1000" },
    });

    it.each([1, 2, 3])(
      "GW1 are answered as documented, seed %i",
      async (seed) => {
        const account = await register(server.url, `fuzzer-${seed}`);
        const { id } = await createServer(server.url, account, { name: "The fuzzer's" });
        const { code, report } = await fuzz(program, {
          document: `${server.url}/api/openapi.json`,
          // Its logins and registrations are counted by themselves.
          headers: { Authorization: `Bearer ${account.token}`, "X-Forwarded-For": `192.0.2.${seed}` },
          seed,
          examples: Number(process.env["FUZZ_EXAMPLES"] ?? 3),
          parameters: { "path.id": id },
          without: ENDINGS,
        });
        expect(code === 0 ? "" : report).toBe("");
        expect(report).toMatch(/Tested: [3-9]\d/);
      },
      300_000,
    );
  });
}
