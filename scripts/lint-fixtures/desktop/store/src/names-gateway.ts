export { gatewayLimit } from "@hearth/gateway";
