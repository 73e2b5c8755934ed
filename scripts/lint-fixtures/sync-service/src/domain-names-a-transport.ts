export { accepting } from "./transport/transport.ts";
