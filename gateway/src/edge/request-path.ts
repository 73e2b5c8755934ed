import { ProblemError } from "@hearth/contracts";

/** The parts of a request target. `search` includes its question mark. */
export interface RequestPath {
  readonly path: string;
  readonly search: string;
}

const ABSOLUTE = /^https?:\/\/[^/?#\\]*(?<rest>[/?].*)?$/i;
const PLAIN = /^[\w\-~:@!$&'()*+,;=./]*$/;
/** An honest client never escapes dots, slashes and backslashes: their escapes give one path two readings. */
const DISGUISED = /%(?:2e|2f|5c)/i;

const refused = (): ProblemError => new ProblemError("INVALID_REQUEST", "The request target is not valid");

/** Drops the authority of an absolute-form target: only the gateway decides where a request goes (GW1). */
function withoutAuthority(target: string): string {
  if (target.startsWith("/")) return target;
  const match = ABSOLUTE.exec(target);
  if (!match) throw refused();
  const rest = match.groups?.["rest"] ?? "/";
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function checkEscapes(path: string): void {
  if (DISGUISED.test(path)) throw refused();
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw refused();
  }
  if (/[\p{Cc}\\]/u.test(decoded)) throw refused();
}

/**
 * Reads a target that has one reading, here and at every service. A target that another program could read as a different
 * path is refused.
 */
export function readRequestPath(target: string): RequestPath {
  const local = withoutAuthority(target);
  const question = local.indexOf("?");
  const path = question === -1 ? local : local.slice(0, question);
  if (!PLAIN.test(path)) {
    if (/[^\x21-\x7e]|[\\#"<>^`{|}]/.test(path)) throw refused();
    checkEscapes(path);
  }
  if (/\/\.{1,2}(?:\/|$)/.test(path)) throw refused();
  if (path.includes("//")) throw new ProblemError("NOT_FOUND", "There is nothing at this address");
  return { path, search: question === -1 ? "" : local.slice(question) };
}
