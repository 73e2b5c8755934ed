import { ProblemError } from "@hearth/contracts";

/** A request target taken apart; `search` keeps its question mark. */
export interface RequestPath {
  readonly path: string;
  readonly search: string;
}

const ABSOLUTE = /^https?:\/\/[^/?#\\]*(?<rest>[/?].*)?$/i;
const PLAIN = /^[\w\-~:@!$&'()*+,;=./]*$/;
/** Dots, slashes and backslashes hide behind escapes only where somebody hopes for two readings of one path. */
const DISGUISED = /%(?:2e|2f|5c)/i;

const refused = (): ProblemError => new ProblemError("INVALID_REQUEST", "The request target is not valid");

/** Only our own routing counts: the authority of an absolute-form target is dropped, never followed (GW1). */
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
 * One target has one reading, here and at every service: what another reader might take for a different path
 * is refused.
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
