import { limit } from "@hearth/contracts";

export const gatewayLimit = limit;
