import { z } from "zod";

/** The result of normalising a URL: its origin, or why it is invalid. */
export type ServerUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: string };

const MAX_LENGTH = 2_048;

const refused = (reason: string): ServerUrl => ({ ok: false, reason });

/** Checked in the text, because URL parsers silently drop or rewrite these. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/[\p{Cc}\p{Cf}\p{Z}]/u, "An address must not contain spaces or control characters."],
  [/^(?!https?:)/i, "An address must begin with https:// or http://."],
  [/^(?!https?:\/\/[^/\\])/i, "An address must name a host after https:// or http://."],
  [/@/, "An address must not contain a username or a password."],
  [/#/, "An address must not contain a fragment (#)."],
  [/\?/, "An address must not contain a query (?)."],
  [/\\/, "An address must not contain a backslash."],
];

/**
 * Normalises the URL of an instance (rule LA5) to its origin as a URL parser understands it, so that
 * `HTTP://OK.Example:80/` becomes `http://ok.example` and `http://127.1` becomes `http://127.0.0.1`.
 */
export function normaliseServerUrl(text: string): ServerUrl {
  if (text.length > MAX_LENGTH) return refused(`An address must have at most ${MAX_LENGTH} characters.`);
  const flaw = FORBIDDEN.find(([pattern]) => pattern.test(text));
  if (flaw) return refused(flaw[1]);
  if (!URL.canParse(text)) return refused("This is not the address of an instance.");
  const { origin, pathname, port } = new URL(text);
  if (pathname !== "/")
    return refused("An address must not contain a path; leave out what follows the host.");
  if (port === "0") return refused("An address must not name port 0.");
  return { ok: true, url: origin };
}

/** A string that becomes the normalised URL of an instance. */
export const serverUrlSchema = z.string("An address must be text.").transform((text, context) => {
  const server = normaliseServerUrl(text);
  if (server.ok) return server.url;
  context.addIssue({ code: "custom", message: server.reason });
  return z.NEVER;
});
