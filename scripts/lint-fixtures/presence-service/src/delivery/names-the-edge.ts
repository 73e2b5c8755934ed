export type { Handle } from "../edge/handle.ts";
