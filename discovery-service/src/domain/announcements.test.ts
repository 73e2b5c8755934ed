import { describe, expect, it } from "@jest/globals";
import { ProblemError, discoverySubjects } from "@hearth/contracts";
import { recordedLog } from "@hearth/runtime/testing";
import { createAnnouncements } from "./announcements.ts";

const office = () => {
  const sent: unknown[] = [];
  const waits: number[] = [];
  const state: { failure: Error | null } = { failure: null };
  let release: () => void = () => undefined;
  const log = recordedLog();
  const announcements = createAnnouncements({
    log: log.log,
    publish: async (_subject, payload) => {
      if (state.failure !== null) throw state.failure;
      sent.push(payload);
    },
    wait: (ms) => {
      waits.push(ms);
      return new Promise((resolve) => (release = resolve));
    },
  });
  const announce = (serverId: string) =>
    announcements.announce(discoverySubjects.serverDeleted, { serverId });
  const pass = async () => {
    release();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sent, waits, state, log, announcements, announce, pass };
};

describe("announcements", () => {
  it("DI7 go out at once", async () => {
    const { sent, announce } = office();
    await announce("a");
    expect(sent).toEqual([{ serverId: "a" }]);
  });

  it("DI7 wait for an unreachable bus without failing the request, and then go out in order", async () => {
    const { sent, waits, state, announcements, announce, pass } = office();
    state.failure = new ProblemError("UNAVAILABLE");
    await announce("a");
    await announce("b");
    await pass();
    await pass();
    expect(sent).toEqual([]);
    expect(waits).toEqual([100, 200, 400]);
    state.failure = null;
    await announce("c");
    await pass();
    expect(sent).toEqual([{ serverId: "a" }, { serverId: "b" }, { serverId: "c" }]);
    expect(announcements.waiting).toBe(0);
    await announce("d");
    expect(sent).toHaveLength(4);
  });

  it("DI7 with an error that is not retryable do not block the others", async () => {
    const { sent, state, announcements, announce } = office();
    state.failure = new ProblemError("INTERNAL");
    await announce("a");
    expect(announcements.waiting).toBe(0);
    state.failure = null;
    await announce("b");
    expect(sent).toEqual([{ serverId: "b" }]);
  });

  it("DI7 that still wait when the service stops are counted in the log", async () => {
    const { state, log, announcements, announce, pass } = office();
    state.failure = new ProblemError("UNAVAILABLE");
    await announce("a");
    announcements.stop();
    await pass();
    expect(announcements.waiting).toBe(0);
    expect(log.records()).toContainEqual(expect.objectContaining({ level: 50, waiting: 1 }));
  });
});
