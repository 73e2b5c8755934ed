export { limit } from "@hearth/contracts";
