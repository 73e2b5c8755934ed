import { describe, expect, it } from "@jest/globals";
import { readDiscoveryConfig } from "./config.ts";

const A = "018f4e9c-0000-7000-8000-00000000000a";
const B = "018f4e9c-0000-7000-8000-00000000000b";

describe("configuration", () => {
  it("features nothing unless told to", () => {
    expect(readDiscoveryConfig({})).toEqual({ featuredServers: [] });
  });

  it("DI2 takes the featured servers in their order, each once", () => {
    const env = { FEATURED_SERVERS: ` ${B.toUpperCase()}, ${A},,${B} ` };
    expect(readDiscoveryConfig(env)).toEqual({ featuredServers: [B, A] });
  });

  it("names a variable that cannot be used, and not its value", () => {
    const read = () => readDiscoveryConfig({ FEATURED_SERVERS: `${A},the best one` });
    expect(read).toThrow(/FEATURED_SERVERS/);
    expect(read).not.toThrow(/best/);
  });
});
