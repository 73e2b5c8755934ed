import { describe, expect, it } from "@jest/globals";
import { withRequestId } from "../context/request-context.ts";
import { recordedLog } from "../testing/doubles.ts";
import { silentLog } from "./log.ts";

describe("the log", () => {
  it("hides secrets and message texts by name, at any depth and in any case", () => {
    const { log, lines } = recordedLog();
    const secrets = { token: "s3cret", password: "s3cret", newPassword: "s3cret", content: "s3cret" };
    const headers = { Authorization: "Bearer s3cret", cookie: "s3cret", "set-cookie": ["s3cret"] };
    log.info({ ...secrets, headers, a: { b: [{ c: { payload: { d: "s3cret" } } }] } }, "hello");
    log.child({ token: "s3cret", room: "r-1" }).warn({ userId: "u-1" }, "child");
    expect(lines.join("")).not.toContain("s3cret");
    expect(lines.join("")).toMatch(/"room":"r-1".*"userId":"u-1"/);
  });

  it("writes the type, message, code, stack and cause of an error, and no property that a library added", () => {
    const { log, lines, records } = recordedLog();
    const cause = Object.assign(new TypeError("the cause"), { statement: "INSERT s3cret" });
    const error = Object.assign(new Error("outer", { cause }), { code: "EIO", config: { token: "s3cret" } });
    log.error({ err: error }, "failed");
    expect(records()[0]).toMatchObject({
      err: {
        type: "Error",
        message: "outer",
        code: "EIO",
        cause: { type: "TypeError", message: "the cause" },
      },
    });
    expect(lines[0]).toContain("log.test");
    expect(lines.join("")).not.toContain("s3cret");
  });

  it("writes one line whatever a value contains", () => {
    const { log, lines } = recordedLog();
    log.info({ username: 'eve\r\n{"level":60,"msg":"forged"}\u2028' }, "line\nbreak");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  });

  it("adds the id of the current request", async () => {
    const { log, records } = recordedLog();
    await withRequestId("r-1", async () => {
      await Promise.resolve();
      log.info({}, "inside");
    });
    log.info({}, "outside");
    expect(records().map(({ requestId }) => requestId)).toEqual(["r-1", undefined]);
  });

  it("survives cycles and very deep values", () => {
    const { log, lines } = recordedLog();
    const cyclic: Record<string, unknown> = { name: "x" };
    cyclic["self"] = cyclic;
    log.info({ cyclic }, "cycle");
    expect(lines).toHaveLength(1);
    silentLog.error({ cyclic }, "never written");
  });
});
