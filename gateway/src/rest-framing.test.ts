import { describe, expect, it } from "@jest/globals";
import { gatewayBefore, head } from "./testing/bad-input.ts";
import { statusesOf } from "./testing/raw-client.ts";
import type { Twin } from "./testing/world.ts";

/** Addresses and framing of the kind that others were broken with; each has the number of its case in the title. */
describe.each<Twin>(["local", "remote"])("bad input to %s services", (twin) => {
  const { world, raw } = gatewayBefore(twin);

  describe("addresses", () => {
    it.each([
      "/api/servers/../users/me",
      "/api/servers/%2e%2e/users/me",
      "/api/servers/..%2fusers%2fme",
      "/api/servers/%00",
      "/api/servers/%E0%A4%A",
      "/api/servers/\\..\\users",
      "/api//users/me",
      "/API/USERS/ME",
      "/api/users/me/",
      "//api/users/me",
      "/%61pi/users/me",
      "/api/%75sers/me",
    ])("R25 R27 %s is 400 or 404 and never another route", async (target) => {
      const arrivals = world().arrivals.length;
      const received = await raw(head(target));
      expect([400, 404]).toContain(statusesOf(received)[0]);
      expect(received).toContain("application/problem+json");
      expect(world().arrivals.length).toBe(arrivals);
    });

    it("R27 an absolute target is routed by its path, whatever host it names", async () => {
      const received = await raw(head("http://evil.test/api/servers?limit=1"));
      expect(statusesOf(received)).toEqual([200]);
      expect(world().arrivals.at(-1)).toMatchObject({ service: "discovery", url: "/api/servers?limit=1" });
      expect(world().arrivals.at(-1)?.headers.host).toBe("hearth");
    });
  });

  describe("framing", () => {
    const post = "POST /api/users/login HTTP/1.1\r\n";
    const smuggled = "GET /api/servers HTTP/1.1\r\nHost: x\r\n\r\n";

    it.each<[string, number, string]>([
      [
        "R26 a length beside a transfer encoding",
        400,
        `${post}Host: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      ],
      [
        "R26 two lengths",
        400,
        `${post}Host: x\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\n${smuggled}`,
      ],
      [
        "R26 an unknown transfer encoding",
        400,
        `${post}Host: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      ],
      [
        "R26 a chunked body under another name",
        400,
        `${post}Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      ],
      ["R26 no Host", 400, `${post}\r\n`],
      ["R27 two Hosts", 400, "GET /api/servers HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n"],
      ["R28 20 KB of headers", 431, `${post}Host: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
      ["R28 TRACE", 405, head("/api/servers", [], "TRACE")],
      ["R28 CONNECT", 405, head("evil.test:80", [], "CONNECT")],
      ["R28 a method that Node knows and we do not", 405, head("/api/servers", [], "PROPFIND")],
      ["R28 a method that nobody knows", 405, head("/api/servers", [], "HACK")],
    ])("S4 %s is %i", async (_case, status, bytes) => {
      const arrivals = world().arrivals.length;
      const received = await raw(bytes);
      expect(statusesOf(received)[0]).toBe(status);
      expect(received).toContain("application/problem+json");
      expect(received).not.toContain("<html");
      expect(world().arrivals.length).toBe(arrivals);
    });

    it("R28 405 lists the methods of the path", async () => {
      expect(await raw(head("/api/servers", [], "PROPFIND"))).toMatch(/allow: GET, HEAD, POST/i);
    });

    it.each(["h2c", "tls/1.0", "websocket, h2c"])(
      "R30 Upgrade: %s on a REST path gets a plain answer",
      async (protocol) => {
        const lines = [`Upgrade: ${protocol}`, "HTTP2-Settings: AAMAAABkAAQAAP__"];
        const received = await raw(
          head("/api/servers", lines).replace("Connection: close", "Connection: Upgrade, close"),
        );
        expect([200, 400, 404]).toContain(statusesOf(received)[0]);
        expect(statusesOf(received)).toHaveLength(1);
      },
    );
  });
});
