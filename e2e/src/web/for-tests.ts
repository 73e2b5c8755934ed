import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import { OwnDevices } from "./own-devices.ts";
import { WebWorld, type WorldOptions } from "./web-world.ts";

/** A world for the tests of a block; a test fails when a page reported an error. */
export function worldForTests(count = 1, options: WorldOptions = {}): WebWorld {
  const world = new WebWorld(count, options);
  beforeAll(() => world.open(), 120_000);
  afterEach(() => expect(world.complaints).toEqual([]));
  afterAll(() => world[Symbol.asyncDispose]());
  return world;
}

/** Devices in the world whose networks tests can cut. */
export function ownDevicesForTests(world: WebWorld): OwnDevices {
  const devices = new OwnDevices(world);
  afterAll(() => devices[Symbol.asyncDispose]());
  return devices;
}
