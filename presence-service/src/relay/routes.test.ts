import { describe, expect, it } from "@jest/globals";
import { routeToDevice, routeToUser } from "./routes.ts";

const friend = { blocked: false, stranger: false };
const blocked = { blocked: true, stranger: false };

describe("the route of a direct message", () => {
  it("WS10 leads to the addressee and to the sender's other devices", () => {
    expect(routeToUser("ada", { toUserId: "bob" }, friend)).toEqual({
      rooms: ["account:bob", "account:ada"],
      contact: { from: "ada", to: "bob", stranger: false },
    });
  });

  it("WS10 names the account once if the sender is the addressee", () => {
    expect(routeToUser("ada", { toUserId: "ada" }, friend).rooms).toEqual(["account:ada"]);
  });

  it("AB12 leads only to the sender's other devices if the sender is blocked", () => {
    expect(routeToUser("ada", { toUserId: "bob" }, blocked)).toEqual({ rooms: ["account:ada"] });
  });
});

describe("the route of a WebRTC signal", () => {
  it("WS10 leads to the addressee alone, and to one device if one is named", () => {
    const { rooms, toClientInstanceId } = routeToDevice(
      "ada",
      { toUserId: "bob", toClientInstanceId: "phone" },
      friend,
    );
    expect([rooms, toClientInstanceId]).toEqual([["account:bob"], "phone"]);
  });

  it("AB12 leads nowhere if the sender is blocked", () => {
    expect(routeToDevice("ada", { toUserId: "bob" }, blocked).rooms).toEqual([]);
  });
});
