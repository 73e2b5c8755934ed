import { describe, expect, it } from "@jest/globals";
import { HOME, SETTINGS_PAGES, hrefOf, routeOf } from "./routes.ts";

describe("a route", () => {
  it.each(SETTINGS_PAGES)("of the page %s survives the way through an address", (page) => {
    const route = { area: "settings", page } as const;
    expect(routeOf(hrefOf(route))).toEqual(route);
  });

  it.each(["", "#", "#/", "#/settings", "#/settings/", "#/rooms/general", "#/settings/__proto__", "#//evil"])(
    "of %j leads home",
    (hash) => expect(routeOf(hash)).toEqual(HOME),
  );
});
