import type { LocalApiView } from "@hearth/bridge";
import type { Strings } from "../../strings/strings.ts";

/** What to say of the server's new state, or `undefined` where nothing was said to change. */
export function stateAnnouncement(
  after: LocalApiView,
  before: LocalApiView,
  { localApi: { announced } }: Strings,
): string | undefined {
  const { status, urls, lastError } = after.state;
  const [url = ""] = urls;
  const isSame = status === before.state.status && lastError === before.state.lastError;
  if (isSame && url === (before.state.urls[0] ?? "")) return undefined;
  switch (status) {
    case "listening":
      return announced.listening(url);
    case "failed":
      return announced.failed(lastError ?? "");
    case "starting":
      return announced.starting;
    case "stopped":
      return announced.stopped;
  }
}
