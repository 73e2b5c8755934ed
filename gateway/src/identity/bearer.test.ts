import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { readBearer, requireToken } from "./bearer.ts";

const token = "0123456789abcdef".repeat(4);
const of = (...values: string[]) => readBearer(values.flatMap((value) => ["AUTHORIZATION", value]));
const refusal = (...values: string[]): ProblemError => {
  try {
    requireToken(of(...values));
  } catch (error) {
    if (error instanceof ProblemError) return error;
  }
  throw new Error("The token was taken");
};

describe("a bearer token", () => {
  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])("R20 the scheme %s is read", (scheme) => {
    expect(of(`${scheme} ${token}`)).toEqual({ kind: "token", token });
  });

  it.each([
    ["R17 63 characters", `Bearer ${token.slice(1)}`],
    ["R17 65 characters", `Bearer ${token}0`],
    ["R17 not hexadecimal", `Bearer ${token.slice(1)}g`],
    ["R18 upper-case hexadecimal", `Bearer ${token.toUpperCase()}`],
    ["R20 two spaces", `Bearer  ${token}`],
    ["R17 two tokens", `Bearer ${token}, ${token}`],
    ["R17 a space behind it", `Bearer ${token} `],
  ])("%s is refused as a token", (_case, value) => {
    expect(refusal(value).code).toBe("AUTH_INVALID");
    expect(refusal(value).extras.reason).toBe("unknown");
  });

  it.each(["Basic YTpi", token, "", "Bearer", "Bearer ", `Token ${token}`, `Bearerx ${token}`])(
    "R16 R20 %j presents none",
    (value) => {
      expect(refusal(value).code).toBe("AUTH_REQUIRED");
    },
  );

  it("R16 no header presents none", () => {
    expect(readBearer(["X", "y"])).toEqual({ kind: "nothing" });
  });

  it("R19 two headers are refused, whatever they hold", () => {
    expect(refusal(`Bearer ${token}`, `Bearer ${token}`).code).toBe("INVALID_REQUEST");
  });
});
