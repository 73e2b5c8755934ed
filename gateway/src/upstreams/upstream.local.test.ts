import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import type { ServiceModule } from "@hearth/runtime";
import { carry } from "../testing/carry.ts";
import { upstreamContract } from "./upstream.contract.ts";
import { createLocalUpstream } from "./upstream.local.ts";

const bare: ServiceModule = {
  name: "sync",
  ready: () => true,
  start: async () => undefined,
  stop: async () => undefined,
};

describe("a service in this process", () => {
  upstreamContract(async (service) => {
    const upstream = createLocalUpstream(service);
    return { upstream, stopService: () => service.stop(), close: () => upstream.close() };
  });

  it("GW5 whose routes throw causes an error, not a crash", async () => {
    const routes = (): void => {
      throw new ProblemError("CONFLICT");
    };
    const door = await carry(createLocalUpstream({ ...bare, routes }));
    expect((await fetch(`http://127.0.0.1:${door.port}/`)).status).toBe(409);
    await door.stop();
  });

  it("without routes serves nothing", async () => {
    const door = await carry(createLocalUpstream(bare));
    expect((await fetch(`http://127.0.0.1:${door.port}/`)).status).toBe(503);
    await door.stop();
  });
});
