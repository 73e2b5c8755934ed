import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { replaceHeaders, restHeaders, upgradeHeaders } from "./forward-headers.ts";

const passport = { requestId: "ours", clientAddress: "203.0.113.7" };
const forged = {
  authorization: "Bearer forged",
  connection: "keep-alive, x-user-id, content-type",
  cookie: "a=b",
  forwarded: "for=6.6.6.6",
  host: "evil.test",
  "keep-alive": "timeout=5",
  "proxy-authorization": "Basic x",
  te: "trailers",
  upgrade: "h2c",
  "x-account-id": "admin",
  "x-forwarded-for": "6.6.6.6",
  "x-forwarded-host": "evil.test",
  "x-forwarded-proto": "https",
  "x-internal-user": "admin",
  "x-real-ip": "6.6.6.6",
  "x-request-id": "theirs",
  "x-user-id": "admin",
  x_user_id: "admin",
};

describe("the headers that go to a service", () => {
  it("GW2 R29 come from the gateway, and none is one that a client forged", () => {
    const kept = restHeaders({ ...forged, "content-type": "application/json", accept: "*/*" }, passport);
    expect(kept).toEqual({
      accept: "*/*",
      "content-type": "application/json",
      host: "hearth",
      "x-forwarded-for": "203.0.113.7",
      "x-request-id": "ours",
    });
  });

  it("GW2 carry the internal JWT and never the token", () => {
    expect(restHeaders(forged, { ...passport, jwt: "j.w.t" })["authorization"]).toBe("Bearer j.w.t");
  });

  it("GW6 S2 are as strict for an upgrade", () => {
    const handshake = { "sec-websocket-key": "k", "sec-websocket-version": "13", origin: "https://app.test" };
    expect(upgradeHeaders({ ...forged, ...handshake }, passport)).toEqual({
      ...handshake,
      connection: "Upgrade",
      upgrade: "websocket",
      host: "evil.test",
      "x-forwarded-for": "203.0.113.7",
      "x-request-id": "ours",
    });
  });

  it("GW2 replace the client's in every property of the request", () => {
    const request = new IncomingMessage(new Socket());
    request.rawHeaders = ["X-User-Id", "admin", "Authorization", "Bearer a", "Authorization", "Bearer b"];
    replaceHeaders(request, { accept: "*/*" });
    expect(request.headers).toEqual({ accept: "*/*" });
    expect(request.rawHeaders).toEqual(["accept", "*/*"]);
    expect(request.headersDistinct).toEqual({ accept: ["*/*"] });
  });
});
