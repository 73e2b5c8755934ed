/** The only schemes that a message may lead to. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);
const MAX_LENGTH = 2_000;

export interface SafeLink {
  readonly href: string;
  /** Host, or address of a mail. */
  readonly destination: string;
}

/** A link that may be followed; nothing for other schemes, for what is relative, and for what is no address at all. */
export function safeLink(text: string): SafeLink | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const { protocol, href, host, pathname } = new URL(text);
  if (!SCHEMES.has(protocol)) return null;
  return { href, destination: protocol === "mailto:" ? pathname : host };
}

/**
 * True where the text of a link says where it leads. `https://bank.example@evil.example` does not, nor does a host in
 * letters that look like others: the destination is written in ASCII.
 */
export function saysDestination(text: string, destination: string): boolean {
  const shown = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "");
  return shown.startsWith(destination) && /^(?:$|[/?#])/.test(shown.slice(destination.length));
}
