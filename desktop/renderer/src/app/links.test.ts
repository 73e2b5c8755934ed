import { describe, expect, it } from "@jest/globals";
import type { DeviceMessage } from "@hearth/device";
import { routeOfLink, routeOfNotification } from "./links.ts";
import { hrefOf } from "../navigation/routes.ts";

const target = { signalServerUrl: "https://a.example", roomId: "r", messageId: "m" };

describe("what is opened from outside", () => {
  it("leads to its place", () => {
    expect(hrefOf(routeOfLink({ page: "home" }))).toBe("/");
    expect(hrefOf(routeOfLink({ page: "local-api" }))).toBe("/settings/local-api");
    const invite = { page: "invite", signalServerUrl: "https://b.example", inviteId: "AbC123" } as const;
    expect(hrefOf(routeOfLink(invite))).toBe("/invite/AbC123?server=https%3A%2F%2Fb.example");
  });

  it("leads to the message of a notification, or to its room where this device does not have it", async () => {
    const message = async () => ({ channelId: "c" }) as DeviceMessage;
    expect(hrefOf(await routeOfNotification(target, { message }))).toBe("/rooms/r/c?message=m");
    expect(hrefOf(await routeOfNotification(target, { message: async () => undefined }))).toBe("/rooms/r");
    const failing = { message: () => Promise.reject(new Error("away")) };
    expect(hrefOf(await routeOfNotification(target, failing))).toBe("/rooms/r");
  });
});
