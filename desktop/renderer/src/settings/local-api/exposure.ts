import type { LocalApiView } from "@hearth/bridge";

/** Whether other machines can reach the local API: `armed` means that they can as soon as it listens. */
export type Exposure = "private" | "armed" | "open";

export function exposureOf({ settings, state }: LocalApiView): Exposure {
  if (!settings.exposeOnLan) return "private";
  return state.status === "listening" ? "open" : "armed";
}
