export { freePort } from "../server/testing/ports.ts";
