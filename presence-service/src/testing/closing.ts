import { expect } from "@jest/globals";
import type { World } from "./world.ts";

/** Closes a world in which nothing went wrong that the test did not ask for. */
export const closeQuiet = async (world: World): Promise<void> => {
  expect(world.complaints).toEqual([]);
  await world.close();
};
