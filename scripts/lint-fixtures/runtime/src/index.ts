import { limit } from "@hearth/contracts";

export const runtimeLimit = limit;
