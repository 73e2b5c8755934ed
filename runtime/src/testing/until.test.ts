import { expect, it } from "@jest/globals";
import { until } from "./until.ts";

it("waits until the check answers true", async () => {
  let asked = 0;
  await until(async () => (asked += 1) === 3);
  expect(asked).toBe(3);
});

it("asks at once, and once more after the limit has passed", async () => {
  await until(() => true, 0);
  await expect(until(() => false, 0)).rejects.toThrow(/^After 0 ms: still false: \(\)/);
  await expect(
    until(
      async () => false,
      20,
      () => "nobody came",
    ),
  ).rejects.toThrow("After 20 ms: nobody came");
});

it("ends with the error of a check that throws", async () => {
  await expect(
    until(() => {
      throw new Error("the program ended");
    }),
  ).rejects.toThrow("the program ended");
});
