import { describe, expect, it } from "@jest/globals";
import { allRoutes } from "@hearth/contracts";
import { createRouteTable } from "./route-table.ts";

const table = createRouteTable(allRoutes);
const found = (method: string, path: string): unknown => {
  const match = table.find(method, path);
  return match.kind === "route" ? match.route.operationId : match.kind === "method" ? match.allow : undefined;
};

describe("the route table", () => {
  it.each(allRoutes.map((route) => [route.method.toUpperCase(), route.path, route.operationId]))(
    "GW1 knows %s %s",
    (method, path, operationId) => {
      expect(found(method, path.replace(/:\w+/g, "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10"))).toBe(operationId);
    },
  );

  it("prefers a literal to a parameter, and backtracks where the literal leads nowhere", () => {
    expect(found("GET", "/api/servers/mine")).toBe("listMyServers");
    expect(found("GET", "/api/servers/other")).toBe("getServer");
    expect(found("GET", "/api/servers/mine/plugins")).toBe("listPlugins");
    expect(found("DELETE", "/api/servers/mine")).toEqual(["HEAD", "GET"]);
  });

  it("serves HEAD where there is GET", () => {
    expect(found("HEAD", "/api/servers")).toBe("listServers");
    expect(found("HEAD", "/api/users/login")).toEqual(["POST"]);
  });

  it("lists the methods of a path for another method", () => {
    expect(found("PATCH", "/api/servers")).toEqual(["HEAD", "GET", "POST"]);
  });

  it.each([
    "/api",
    "/api/",
    "/api/servers/",
    "/API/servers",
    "/api/Servers",
    "/api/servers//x",
    "/api/nothing",
  ])("has nothing at %s", (path) => {
    expect(found("GET", path)).toBeUndefined();
  });
});
