export { makeMain } from "./bundles.ts";
