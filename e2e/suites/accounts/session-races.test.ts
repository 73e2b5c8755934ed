import type { Credential } from "@hearth/contracts";
import { describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { call, expectOk, PASSWORD, register } from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const SECOND = 1_000;

const hasToken = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "token" in body && "displayName" in body;

describe("simultaneous requests of one account", () => {
  const server = serverForTests();

  it("AU6 X6 logout, login and new device tokens at once, 15 times, leave only the new session and no device token", async () => {
    for (let run = 0; run < 15; run += 1) {
      const { id, token, username } = await register(server.url);
      const path = `/api/users/device-tokens/${id}`;
      const put = (device: string) =>
        call(server.url, "PUT", `${path}/${device}`, { token, body: { platform: "web", token: device } });
      const racing = [
        () => put("a"),
        () => call(server.url, "POST", "/api/users/logout", { token }),
        () => put("b"),
        () => call(server.url, "POST", "/api/users/login", { body: { username, password: PASSWORD } }),
        () => call(server.url, "GET", "/api/users/me", { token }),
      ];
      const order = racing.map((_, index) => (index * 3 + run) % racing.length);
      const answers = await Promise.all(order.map(async (index) => racing[index]?.()));
      // A late request gets a clear refusal; nothing else fails.
      for (const answer of answers) expect([200, 201, 204, 401]).toContain(answer?.status);
      await until(
        async () => (await call(server.url, "GET", "/api/users/me", { token })).status === 401,
        SECOND,
      );
      const after = answers.find((answer) => hasToken(answer?.body))?.body as Credential;
      const ask = (path: string) =>
        expectOk<readonly unknown[]>(server.url, "GET", path, { token: after.token });
      expect(await ask(path)).toEqual([]);
      expect(await ask("/api/users/sessions")).toHaveLength(1);
    }
  });
});
