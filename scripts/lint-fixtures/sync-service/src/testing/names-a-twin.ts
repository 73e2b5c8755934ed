export { open } from "../store.sqlite.ts";
