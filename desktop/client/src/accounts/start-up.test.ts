import { describe, expect, it } from "@jest/globals";
import { createFakePlatform } from "../testing/fake-platform.ts";
import {
  B,
  deviceUnderTest,
  during,
  HOME,
  openTab,
  refuseToken,
  register,
  server,
  signedIn,
  stored,
} from "./testing/account-tabs.ts";
import type { Device } from "./testing/account-tabs.ts";

describe("the start", () => {
  const expired = async (expire: (tab: Device) => void) => {
    const device = await deviceUnderTest();
    device.servers.of(HOME).ttlMs = 1_000;
    await register(device);
    device.servers.of(B).ttlMs = 10_000_000;
    expire(device);
    return openTab(device.platform.reload(), device.owner);
  };

  it("CL1 a valid session needs no request", async () => {
    const device = await signedIn();
    device.servers.of(HOME).trouble = "no-network";
    const again = await openTab(device.platform.reload());
    expect(again.accounts.state.getState()).toMatchObject({ phase: "signed-in", homeUrl: HOME });
    expect(again.accounts.token(HOME)).toBe(device.accounts.token(HOME));
  });

  it("CL1 SESSION_EXPIRED: an expired home token", async () => {
    const again = await expired(({ platform }) => platform.clock.jump(2_000));
    const end = { signalServerUrl: HOME, username: "anna", reason: "expired" };
    expect(again.accounts.state.getState()).toMatchObject({ phase: "signed-out", homeUrl: HOME, ended: end });
    expect(again.events).toEqual([{ type: "SESSION_EXPIRED", end }]);
    expect(again.accounts.token(HOME)).toBeNull();
    expect(again.owner.profile()).toMatchObject({ username: "anna" });
  });

  it("CL1 SESSION_EXPIRED: a user without a token", async () => {
    const again = await expired(({ platform }) => platform.local.remove("app.signalServerCredentials"));
    expect(again.events).toMatchObject([
      { type: "SESSION_EXPIRED", end: { reason: "missing", username: "anna" } },
    ]);
  });

  it("CL1 any stored token is the fallback for an expired home token", async () => {
    const device = await deviceUnderTest();
    device.servers.of(HOME).ttlMs = 100_000;
    await register(device);
    await during(device, device.accounts.ensureAccount(B));
    device.platform.clock.jump(200_000);
    const again = await openTab(device.platform.reload(), device.owner);
    expect(again.accounts.state.getState()).toMatchObject({
      phase: "signed-in",
      instances: [
        { url: HOME, authorization: "needs-sign-in", failure: "expired" },
        { url: B, authorization: "authorized" },
      ],
    });
    expect(again.events).toEqual([]);
  });

  it("CL3 a token of another instance does not restart a session that home refused", async () => {
    const device = await signedIn(B);
    refuseToken(device, HOME, "revoked");
    const again = await openTab(device.platform.reload(), device.owner);
    expect(again.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      ended: { reason: "revoked" },
    });
    expect([again.accounts.token(B), server(again, B)?.authorization]).toEqual([null, "needs-sign-in"]);
  });

  it("works with a storage that cannot be written", async () => {
    const device = await signedIn();
    const again = device.platform.reload();
    again.local.set("app.sessionEnd", "damaged");
    again.local.remove("app.signalServers");
    again.local.isFull = true;
    const { accounts } = await openTab(again, device.owner);
    expect(accounts.state.getState()).toMatchObject({ phase: "signed-in", homeUrl: HOME });
  });

  it("reports nothing after signing out", async () => {
    const device = await signedIn();
    await device.accounts.signOut();
    const again = await openTab(device.platform.reload(), device.owner);
    expect(again.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      homeUrl: HOME,
      ended: null,
    });
    expect(again.events).toEqual([]);
  });

  it.each(["", "{", "[]", "null", "7", '{"http://home.example": null}', '{"x": {"token": "y"}}', '"x"'])(
    "damaged values are no accounts: %s",
    async (text) => {
      const platform = createFakePlatform();
      for (const key of [
        "app.authTokens",
        "app.signalServerCredentials",
        "app.signalServers",
        "app.sessionEnd",
      ])
        platform.local.set(key, text);
      platform.local.set("homeSignalServerUrl", text);
      const { accounts } = await openTab(platform);
      expect(accounts.state.getState()).toEqual({
        phase: "signed-out",
        homeUrl: null,
        instances: [],
        ended: null,
      });
    },
  );

  it("skips damaged credentials and keeps the good ones", async () => {
    const device = await signedIn();
    const good = stored(device, "app.signalServerCredentials") as object;
    const mixed = { ...good, [B]: { token: 5 }, "not a url": Object.values(good)[0] as unknown };
    device.platform.local.set("app.signalServerCredentials", JSON.stringify(mixed));
    const again = await openTab(device.platform.reload());
    expect(again.accounts.state.getState()).toMatchObject({ phase: "signed-in", instances: [{ url: HOME }] });
  });
});
