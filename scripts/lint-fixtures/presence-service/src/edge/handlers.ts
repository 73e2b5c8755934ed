import { rooms } from "../delivery/rooms.ts";

export const handle = (): readonly string[] => rooms;
