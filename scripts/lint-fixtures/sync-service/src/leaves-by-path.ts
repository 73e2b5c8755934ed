export { limit } from "../../contracts/src/index.ts";
