export { fc } from "./properties.ts";
