import { describe, expect, it } from "@jest/globals";
import { eventSubject, requestSubject } from "@hearth/contracts";
import { z } from "zod";
import { createLog, silentLog } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { describeBusContract } from "../testing/bus.contract.ts";
import { createMemoryBus } from "./memory-bus.ts";

describeBusContract("The in-process bus", async () => {
  const bus = createMemoryBus({ log: silentLog, drainMs: 50 });
  return { bus, other: bus, settled: async () => undefined };
});

const subject = requestSubject("test.ask", z.object({}), z.object({ n: z.number() }));
const event = eventSubject("test.event", z.object({ content: z.string() }));

describe("the in-process bus", () => {
  it("logs the errors that it hides from callers, and counts failures by subject and code", async () => {
    const lines: string[] = [];
    const metrics = createMetrics({ process: false });
    const log = createLog({ name: "test", destination: { write: (line) => void lines.push(line) } });
    const bus = createMemoryBus({ log, metrics });
    bus.answer(subject, async () => {
      throw new Error("the disk is gone");
    });
    await expect(bus.request(subject, {})).rejects.toMatchObject({ code: "INTERNAL" });
    expect(lines.join("")).toContain("the disk is gone");
    const text = await metrics.text();
    expect(text).toContain('hearth_bus_failures_total{subject="test.ask",code="INTERNAL"} 1');
    expect(text).toContain('hearth_bus_request_duration_seconds_count{subject="test.ask"} 1');
    await bus.close();
  });

  it("logs a payload that does not match by its path, never by its value", async () => {
    const lines: string[] = [];
    const log = createLog({ name: "test", destination: { write: (line) => void lines.push(line) } });
    const bus = createMemoryBus({ log });
    const bad = { content: ["my secret"] } as unknown as { content: string };
    await expect(bus.publish(event, bad)).rejects.toMatchObject({ code: "INTERNAL" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"path":"content"');
    expect(lines[0]).not.toContain("my secret");
    await bus.close();
  });

  it("stops waiting at its drain limit and refuses the open requests", async () => {
    const bus = createMemoryBus({ log: silentLog, drainMs: 10 });
    bus.answer(subject, () => new Promise(() => undefined));
    const open = bus.request(subject, {}).catch((error: unknown) => error);
    await bus.close();
    expect(await open).toMatchObject({ code: "UNAVAILABLE" });
  });

  it("refuses a request that JSON cannot represent", async () => {
    const bus = createMemoryBus({ log: silentLog });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    await expect(bus.request(subject, cyclic)).rejects.toThrow();
    await bus.close();
  });
});
