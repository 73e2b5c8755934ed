/** The host of a URL, or the text itself where it is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const isUsual = (part: string): boolean => /^(?:www|chat|hearth)$/u.test(part);

/** What tells one host from another at a glance: `lindenhof` of `chat.lindenhof.example`, the port of an address. */
export function shortHost(host: string): string {
  const [, port] = /^(?:[\d.]+|\[.*\]|localhost)(:\d+)$/u.exec(host) ?? [];
  if (port !== undefined) return port;
  if (/^[\d.[]/u.test(host)) return host;
  const parts = host.replace(/:\d+$/u, "").split(".");
  return parts.find((part) => !isUsual(part)) ?? host;
}
