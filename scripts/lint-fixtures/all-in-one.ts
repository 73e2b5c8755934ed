export { gatewayLimit } from "./gateway/src/index.ts";
