import type { Id } from "@hearth/contracts/src/index.ts";

export const id = (value: Id): Id => value;
