import { describe, expect, it } from "@jest/globals";
import { HOME, SETTINGS_PAGES, hrefOf, isPublic, routeOf } from "./routes.ts";
import type { Route } from "./routes.ts";

const routes: readonly Route[] = [
  HOME,
  ...SETTINGS_PAGES.map((page) => ({ area: "settings", page }) as const),
  { area: "login", authorize: null, returnUrl: null },
  { area: "login", authorize: "https://b.example:8443", returnUrl: "/rooms/1?x=%20#y" },
  { area: "register", authorize: "https://b.example", returnUrl: null },
  { area: "register", authorize: null, returnUrl: null, invitation: "an-invitation-code" },
  { area: "reset", code: "a-code-for-a-reset", server: null },
  { area: "reset", code: "a-code-for-a-reset", server: "https://b.example" },
  { area: "invite", code: "AbC123", server: null },
  { area: "invite", code: "AbC123", server: "http://127.0.0.1:8080" },
  { area: "room", roomId: "r", channelId: null, messageId: null },
  { area: "room", roomId: "r", channelId: "c", messageId: null },
  { area: "room", roomId: "r", channelId: null, messageId: "m" },
  { area: "room", roomId: "r/ü?", channelId: "c", messageId: "m" },
  { area: "directory", server: null },
  { area: "directory", server: "https://b.example" },
];

describe("a route", () => {
  it.each(routes)("survives the way through an address: %j", (route) => {
    expect(routeOf(hrefOf(route))).toEqual(route);
  });

  it.each([
    "",
    "/",
    "/settings",
    "/settings/",
    "/rooms",
    "/settings/__proto__",
    "//evil",
    "/%E0%A4%A",
    "/invite",
    "/reset",
  ])("of %j leads home", (address) => expect(routeOf(address)).toEqual(HOME));

  it("is public only where nobody has to be known", () => {
    expect([...new Set(routes.filter(isPublic).map(({ area }) => area))]).toEqual([
      "login",
      "register",
      "reset",
      "invite",
    ]);
  });
});
