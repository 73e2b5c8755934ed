const MAX_LENGTH = 2_048;
const HOME = "/";
/** A base that no URL can contain, so that a URL that leaves it is detected. */
const BASE = "http://page.invalid";
/** Pages that would lead back to signing in. */
const DOORS = new Set(["login", "register"]);

function firstPart(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname).toLowerCase().split(/[/\\]/).find(Boolean) ?? "";
  } catch {
    return null;
  }
}

/**
 * The URL after signing in: path, query and fragment on our own origin, whatever the text says (rule CL3). Other
 * origins, hidden characters and the sign-in pages become `/`.
 */
export function safeReturnUrl(text: string | null, origin: string): string {
  if (text === null || text.length > MAX_LENGTH || /[\p{Cc}\p{Cf}\\]/u.test(text)) return HOME;
  const path = text.startsWith(`${origin}/`) ? text.slice(origin.length) : text;
  if (!/^\/(?![/\\])/.test(path) || !URL.canParse(path, BASE)) return HOME;
  const { origin: found, pathname, search, hash } = new URL(path, BASE);
  const first = firstPart(pathname);
  if (found !== BASE || pathname.startsWith("//") || first === null || DOORS.has(first)) return HOME;
  return `${pathname}${search}${hash}`;
}
