import type { Camera } from "../camera.ts";
import type { Neighbours } from "../neighbours.ts";
import type { Device, WebWorld } from "../web-world.ts";

/** The input of every part of the picture story. */
export interface Scene {
  readonly camera: Camera;
  readonly world: WebWorld;
  readonly people: Neighbours;
  /** Another device with the same clock as the others. */
  readonly device: () => Promise<Device>;
}
