/** Takes the pictures of the client: `node e2e/src/web/screenshots.ts [FOLDER]`. */
import { Pictures } from "../browser/pictures.ts";
import { Camera } from "./camera.ts";
import { clockFrom, environmentWith } from "./fixed-clock.ts";
import { gather } from "./neighbours.ts";
import { signInScreens, inSettings, onSmallScreens } from "./scenes/around.ts";
import { inTheGarden, overTheGarden, whoRuns } from "./scenes/server.ts";
import { elsewhere, inTrouble } from "./scenes/trouble.ts";
import { WebWorld } from "./web-world.ts";
import type { Device } from "./web-world.ts";

/** A fixed morning, so that pictures differ only where the screens do. */
const clock = clockFrom(Date.UTC(2026, 10, 20, 9, 30));
const names = ["talk.example.org", "radio.example.net"];

const camera = new Camera(await Pictures.open());
await using world = await WebWorld.start(2, { names, env: environmentWith(clock) });

async function device(): Promise<Device> {
  const made = await world.device({ reducedMotion: "reduce" });
  await made.context.addInitScript(clock);
  return made;
}

const people = await gather(world, [await device(), await device(), await device(), await device()]);
const scene = { camera, world, device, people };
for (const play of [
  inTheGarden,
  overTheGarden,
  whoRuns,
  signInScreens,
  inSettings,
  onSmallScreens,
  elsewhere,
  inTrouble,
])
  await play(scene);
for (const complaint of world.complaints) console.error(complaint);
