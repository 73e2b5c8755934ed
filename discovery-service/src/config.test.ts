import { describe, expect, it } from "@jest/globals";
import { readDiscoveryConfig } from "./config.ts";

const A = "018f4e9c-0000-7000-8000-00000000000a";
const B = "018f4e9c-0000-7000-8000-00000000000b";

describe("configuration", () => {
  it("features nothing unless told to", () => {
    expect(readDiscoveryConfig({})).toMatchObject({ featuredServers: [] });
  });

  it("DI2 takes the featured servers in their order, each once", () => {
    const env = { FEATURED_SERVERS: ` ${B.toUpperCase()}, ${A},,${B} ` };
    expect(readDiscoveryConfig(env)).toMatchObject({ featuredServers: [B, A] });
  });

  it("AB4 has quotas, each of which the operator may set", () => {
    expect(readDiscoveryConfig({}).quotas).toEqual({
      serversOwned: 20,
      serversMadePerHour: 10,
      channels: 200,
      invites: 500,
      invitesOfMember: 50,
      bans: 10_000,
    });
    const env = { MAX_SERVERS_OWNED: "1", MAX_BANS_PER_SERVER: "7", MAX_CHANNELS_PER_SERVER: "500" };
    expect(readDiscoveryConfig(env).quotas).toMatchObject({ serversOwned: 1, bans: 7, channels: 500 });
    for (const name of ["MAX_SERVERS_MADE_PER_HOUR", "MAX_INVITES_PER_SERVER", "MAX_INVITES_PER_MEMBER"])
      expect(() => readDiscoveryConfig({ [name]: "0" })).toThrow(name);
  });

  it("names a variable that cannot be used, and not its value", () => {
    const read = () => readDiscoveryConfig({ FEATURED_SERVERS: `${A},the best one` });
    expect(read).toThrow(/FEATURED_SERVERS/);
    expect(read).not.toThrow(/best/);
  });
});
