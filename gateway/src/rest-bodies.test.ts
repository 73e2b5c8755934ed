import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import { problemSchema } from "./openapi/problem.ts";
import { gatewayBefore, head } from "./testing/bad-input.ts";
import { statusesOf } from "./testing/raw-client.ts";
import type { Twin } from "./testing/world.ts";

const JSON_TYPE = { "content-type": "application/json" };
const GOOD = { username: "ada", password: "a long passphrase" };

/** Bad inputs of the kind that others were broken with; each has the number of its case in the title. */
describe.each<Twin>(["local", "remote"])("bad input to %s services", (twin) => {
  const { world, raw } = gatewayBefore(twin);

  const register = (
    body: string | Blob | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = JSON_TYPE,
  ): Promise<Response> => world().fetch("/api/users/register", { method: "POST", headers, body });
  const lastInput = () => world().calls.at(-1)?.input as { body: Record<string, unknown> };

  async function expectProblem(answer: Response, status: number): Promise<void> {
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    problemSchema.parse(await answer.json());
  }

  const bodies: [string, number, string | Blob, Record<string, string>?][] = [
    ["R1 truncated JSON", 400, '{"username":"ada"'],
    ["R1 no JSON at all", 400, "username=ada"],
    ["R2 a number", 400, "5"],
    ["R2 text", 400, '"text"'],
    ["R2 null", 400, "null"],
    ["R2 an array", 400, "[]"],
    ["R3 text/plain", 415, JSON.stringify(GOOD), { "content-type": "text/plain" }],
    ["R3 no type", 415, new Blob([JSON.stringify(GOOD)]), {}],
    ["R3 a form", 415, "username=ada", { "content-type": "application/x-www-form-urlencoded" }],
    ["R4 koi8-r", 415, JSON.stringify(GOOD), { "content-type": "application/json; charset=koi8-r" }],
    ["R4 zstd", 415, JSON.stringify(GOOD), { ...JSON_TYPE, "content-encoding": "zstd" }],
    ["R6 60 KB of nested arrays", 400, "[".repeat(60_000)],
    ["R8 a password of 1 MB", 413, JSON.stringify({ ...GOOD, password: "x".repeat(1024 * 1024) })],
    ["R8 an empty password", 400, JSON.stringify({ ...GOOD, password: "" })],
    ["R8 a lone surrogate", 400, '{"username":"ada","password":"aaaaaaaa\\ud800"}'],
    ["R9 an operator for the username", 400, '{"username":{"$ne":null},"password":"a long passphrase"}'],
    ["R10 an operator for the password", 400, '{"username":"ada","password":{"$gt":""}}'],
    ["R11 an operator as a key", 400, '{"username[$regex]":".*","password":"a long passphrase"}'],
    ["R12 $where as a value", 400, '{"username":"$where","password":"a long passphrase"}'],
    ["R13 a field nobody knows", 400, JSON.stringify({ ...GOOD, role: "admin" })],
    ["R14 a prototype", 400, '{"username":"ada","password":"a long passphrase","__proto__":{"admin":true}}'],
    [
      "R14 a constructor",
      400,
      '{"username":"ada","password":"a long passphrase","constructor":{"prototype":{"admin":true}}}',
    ],
    ["R31 a name of 1 MB", 413, JSON.stringify({ ...GOOD, username: "x".repeat(1024 * 1024) })],
    ["R31 control characters", 400, JSON.stringify({ ...GOOD, username: "ad\u0000a" })],
    ["R31 a direction override", 400, JSON.stringify({ ...GOOD, username: "ad\u202ea" })],
    ["R31 spaces", 400, JSON.stringify({ ...GOOD, username: "ad a" })],
    ["R31 full-width letters", 400, JSON.stringify({ ...GOOD, username: "\uff21dmin" })],
  ];
  it.each(bodies.map(([title, status, body, headers]) => ({ title, status, body, headers })))(
    "GW7 $title is $status",
    async ({ status, body, headers }) => {
      const calls = world().calls.length;
      await expectProblem(await register(body, headers), status);
      expect(world().calls.length).toBe(calls);
      expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
    },
  );

  it("AB1 R5 a gzip bomb is 415 and reaches no service", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, "[1,"));
    expect(bomb.length).toBeLessThan(LIMITS.httpBodyBytes);
    const calls = world().calls.length;
    await expectProblem(await register(bomb, { ...JSON_TYPE, "content-encoding": "gzip" }), 415);
    expect(world().calls.length).toBe(calls);
  });

  it("GW7 a body of 256 KiB is read; a longer one is 413 before it is read", async () => {
    const fill = (size: number): string => {
      const text = JSON.stringify({ ...GOOD, deviceName: "" });
      return text.replace('""', `"${"x".repeat(size - text.length)}"`);
    };
    // Read, and then refused for what it says.
    expect((await register(fill(LIMITS.httpBodyBytes))).status).toBe(400);
    const announced = head("/api/users/login", [`Content-Length: ${LIMITS.httpBodyBytes + 1}`], "POST");
    const received = await raw(announced);
    expect(statusesOf(received)).toEqual([413]);
  });

  it("GW7 a body of unknown length is 413 as soon as it is too long", async () => {
    const size = LIMITS.httpBodyBytes + 1;
    const lines = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const received = await raw(
      `${head("/api/users/login", lines, "POST")}${size.toString(16)}\r\n${" ".repeat(size)}\r\n0\r\n\r\n`,
    );
    expect(statusesOf(received)).toEqual([413]);
  });

  it("R7 R8 passwords arrive as they were written, NUL and all", async () => {
    for (const password of ["aaaaaaaa\u0000b", "x".repeat(73), "\u00e9".repeat(37)]) {
      expect((await register(JSON.stringify({ ...GOOD, password }))).status).toBe(201);
      expect(lastInput().body["password"]).toBe(password);
    }
  });

  it("R15 the last of two equal keys counts", async () => {
    await register('{"username":"first","username":"last","password":"a long passphrase"}');
    expect(lastInput().body["username"]).toBe("last");
  });
});
