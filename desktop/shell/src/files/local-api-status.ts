import type { LocalApiView } from "@hearth/bridge";
import { STRINGS } from "../strings.ts";

/** A line about the local API; it says so while the network can reach it. */
export function statusLine({ settings, state }: LocalApiView): string {
  const url = state.urls[0];
  if (state.status === "failed") return STRINGS.failed;
  if (state.status === "starting") return STRINGS.starting;
  if (state.status === "stopped" || url === undefined) return STRINGS.off;
  return settings.exposeOnLan ? STRINGS.lan(url) : STRINGS.listening(url);
}
