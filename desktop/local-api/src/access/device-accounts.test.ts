import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { ADA, BODY, credential, HERE, SERVER, stageAccess } from "./testing/access-stage.ts";

describe("accounts of the device", () => {
  it("LA7 on a device without accounts any recognised user may log in", async () => {
    const { access } = stageAccess();
    expect((await access.login(BODY, HERE)).user).toEqual(ADA);
  });

  it("LA7 the account may log in, however its URL and id are spelled", async () => {
    const { access, turn } = stageAccess();
    turn.accounts = async () => [
      credential("other", "http://other.example"),
      credential(ADA.id.toUpperCase(), "HTTP://OK.example:80/"),
    ];
    expect((await access.login(BODY, HERE)).user).toEqual(ADA);
  });

  it.each([
    ["another person of the same server", [credential("0197b1d0-0000-7000-8000-00000000000b", SERVER)]],
    ["the same id on another server", [credential(ADA.id, "http://other.example")]],
    ["an account whose address is none", [credential(ADA.id, "nonsense")]],
  ])("LA7 %s is 403 ACCOUNT_NOT_ON_DEVICE", async (_who, held) => {
    const { access, loginRefusal, turn } = stageAccess();
    turn.accounts = async () => held;
    expect(await loginRefusal(BODY)).toMatchObject({ code: "ACCOUNT_NOT_ON_DEVICE", status: 403 });
    expect(access.tokens()).toEqual([]);
  });

  it("LA7 if the device's accounts cannot be read, nobody may log in", async () => {
    const { access, loginRefusal, turn } = stageAccess();
    turn.accounts = () => Promise.reject(new ProblemError("UNAVAILABLE"));
    expect((await loginRefusal(BODY)).code).toBe("UNAVAILABLE");
    expect(access.tokens()).toEqual([]);
  });
});
