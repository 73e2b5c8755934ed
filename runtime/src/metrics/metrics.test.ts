import { describe, expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { createMetrics } from "./metrics.ts";

describe("metrics", () => {
  it("return the same metric for the same name", async () => {
    const metrics = createMetrics({ process: false });
    const options = { name: "hearth_test_total", help: "Tests", labels: ["kind"] } as const;
    metrics.counter(options).inc({ kind: "a" });
    metrics.counter(options).inc({ kind: "a" });
    metrics.gauge({ name: "hearth_test_now", help: "Now" }).set(3);
    metrics.histogram({ name: "hearth_test_seconds", help: "Seconds", buckets: [1] }).observe(0.5);
    const text = await metrics.text();
    expect(text).toContain('hearth_test_total{kind="a"} 2');
    expect(text).toContain("hearth_test_now 3");
    expect(text).toContain('hearth_test_seconds_bucket{le="1"} 1');
    expect(metrics.contentType).toMatch(/^text\/plain/);
  });

  it("sample the event loop's lag every 50 ms, so that an idle process seldom wakes up", async () => {
    const metrics = createMetrics();
    const lag = async (): Promise<number> => {
      await setTimeout(250);
      return Number(/^nodejs_eventloop_lag_p50_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
    };
    await lag();
    expect(await lag()).toBeGreaterThan(0.04);
  });

  it("refuse a name that another kind of metric has", () => {
    const metrics = createMetrics({ process: false });
    metrics.counter({ name: "hearth_test_total", help: "Tests" });
    expect(() => metrics.gauge({ name: "hearth_test_total", help: "Tests" })).toThrow("another kind");
  });

  it("keep processes apart, and describe the process unless told not to", async () => {
    const text = await createMetrics().text();
    expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
    expect(text).toContain("process_resident_memory_bytes");
    expect(await createMetrics({ process: false }).text()).not.toContain("process_");
  });
});
