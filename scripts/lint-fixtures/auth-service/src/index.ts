import { limit } from "@hearth/contracts";

export const authLimit = limit;
