import { normaliseServerUrl } from "@hearth/device";

/** What somebody pasted to join: a code, and where it was made; `null` for the chosen signaling server. */
export interface InviteText {
  readonly code: string;
  readonly server: string | null;
}

const CODE = /^[A-Za-z0-9]{6,32}$/;

/** Reads a code, a link `https://host/invite/CODE` or `/invite/CODE?server=…`, or `hearth://invite/CODE?server=…`. */
export function readInvite(text: string): InviteText | null {
  const trimmed = text.trim();
  if (CODE.test(trimmed)) return { code: trimmed, server: null };
  const link = /^(?:https?|hearth):\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(link)) return null;
  const { protocol, origin, host, pathname, searchParams } = new URL(link);
  const path = protocol === "hearth:" ? `/${host}${pathname}` : pathname;
  const [, code = ""] = /^\/invite\/([^/]+)\/?$/.exec(path) ?? [];
  if (!CODE.test(code)) return null;
  const named = searchParams.get("server");
  if (named === null) return protocol === "hearth:" ? { code, server: null } : { code, server: origin };
  const server = normaliseServerUrl(named);
  return server.ok ? { code, server: server.url } : null;
}

/** The link that leads to an invite; it names the server where the page is not that server's own. */
export const inviteLink = (signalServerUrl: string, code: string): string =>
  `${signalServerUrl}/invite/${encodeURIComponent(code)}`;
