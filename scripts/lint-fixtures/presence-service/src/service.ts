import { handle } from "./edge/handlers.ts";
import { rooms } from "./delivery/rooms.ts";

export const service = [handle, rooms];
