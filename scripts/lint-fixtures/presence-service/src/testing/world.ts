export { service as world } from "../service.ts";
