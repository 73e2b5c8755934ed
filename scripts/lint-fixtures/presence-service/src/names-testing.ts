export { world } from "./testing/world.ts";
