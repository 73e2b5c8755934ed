import { describe, expect, it } from "@jest/globals";
import { writingIn } from "./writing.ts";

const online = { authorization: "authorized", status: "online" } as const;

describe("writing in a place", () => {
  it("is possible there and while it is out of reach", () => {
    expect(writingIn("joined", online)).toEqual({ may: true, delayed: null });
    expect(writingIn("offline", online)).toEqual({ may: true, delayed: "offline" });
    expect(writingIn("joined", { ...online, status: "waiting" })).toEqual({ may: true, delayed: "offline" });
    expect(writingIn("joining", online)).toEqual({ may: true, delayed: "joining" });
    expect(writingIn("unknown", { ...online, status: "connecting" })).toEqual({
      may: true,
      delayed: "joining",
    });
  });

  it("is not possible where it would never be sent", () => {
    for (const joinState of ["banned", "gone", "needs-invite", "needs-sign-in"] as const)
      expect(writingIn(joinState, online)).toEqual({ may: false, why: joinState });
    expect(writingIn("joined", { ...online, authorization: "needs-sign-in" })).toEqual({
      may: false,
      why: "needs-sign-in",
    });
    expect(writingIn("banned", { ...online, authorization: "needs-sign-in" })).toMatchObject({
      why: "banned",
    });
  });
});
