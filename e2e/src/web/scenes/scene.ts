import type { Camera } from "../camera.ts";
import type { Neighbours } from "../neighbours.ts";
import type { Device, WebWorld } from "../web-world.ts";

/** What every part of the story in pictures is given. */
export interface Scene {
  readonly camera: Camera;
  readonly world: WebWorld;
  readonly people: Neighbours;
  /** One more device, whose clock stands where all the others do. */
  readonly device: () => Promise<Device>;
}
