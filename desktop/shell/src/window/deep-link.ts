import type { DeepLink } from "@hearth/bridge";
import { webUrl } from "./origin.ts";

export const LINK_SCHEME = "hearth";

const MAX_LENGTH = 2_048;
const inviteId = /^[\w-]{1,128}$/;

function inviteOf(parts: readonly string[], server: string | null): DeepLink | undefined {
  const [id = ""] = parts;
  const url = server === null ? undefined : webUrl(server);
  if (parts.length !== 1 || !inviteId.test(id) || url === undefined) return undefined;
  return { page: "invite", signalServerUrl: new URL(url).origin, inviteId: id };
}

/**
 * The target of a `hearth://` link. Any web page can open such links, so they may only name a target; everything else
 * is dropped.
 */
export function readDeepLink(text: string): DeepLink | undefined {
  if (text.length > MAX_LENGTH || /[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, pathname, searchParams, username, port } = new URL(text);
  if (protocol !== `${LINK_SCHEME}:` || username !== "" || port !== "") return undefined;
  const parts = pathname.split("/").filter((part) => part !== "");
  if (hostname === "invite") return inviteOf(parts, searchParams.get("server"));
  if (parts.length > 0) return undefined;
  if (hostname === "") return { page: "home" };
  return hostname === "local-api" ? { page: "local-api" } : undefined;
}

/** The link among the arguments of a start. */
export const deepLinkOf = (argv: readonly string[]): DeepLink | undefined =>
  argv
    .filter((argument) => argument.startsWith(`${LINK_SCHEME}:`))
    .map(readDeepLink)
    .find((link) => link !== undefined);
