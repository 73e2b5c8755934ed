export { rooms } from "../delivery/rooms.ts";
