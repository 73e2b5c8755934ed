/** The only origin of the window's page: its own scheme, so that no file and no site shares the origin. */
export const APP_SCHEME = "app";
export const APP_ORIGIN = "app://hearth";
export const APP_URL = `${APP_ORIGIN}/`;

export const isAppUrl = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === "app:" && new URL(url).host === "hearth";

/** A web URL that may be opened in the system's browser: without credentials before its host. */
export function webUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb && username === "" && password === "" ? href : undefined;
}

const loopback = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** A document of the local server on this machine. */
export function isDocumentUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname, username } = new URL(url);
  const isDocument = /^\/(docs|static-docs)(\/|$)/.test(pathname);
  return protocol === "http:" && loopback.has(hostname) && isDocument && username === "";
}
