import { handle } from "../edge/handlers.ts";
import { world } from "../testing/world.ts";

export const tested = [handle, world];
