import { resemblesUsername } from "@hearth/contracts";
import type { RegistrationMode } from "@hearth/contracts";
import type { SignIn } from "@hearth/client";
import { ClientProblem } from "@hearth/device";
import { normaliseServerUrl } from "@hearth/device";
import { nameProblem, passwordProblem } from "../people/account-input.ts";

export type Mode = SignIn["mode"];

/** What somebody typed. */
export interface SignInDraft {
  readonly server: string;
  readonly username: string;
  readonly displayName: string;
  readonly password: string;
  /** The operator's; empty where none is needed. */
  readonly invitation: string;
}

export type SignInField = keyof SignInDraft;

export type SignInIssue =
  | "server"
  | "usernameMissing"
  | "username"
  | "usernameTaken"
  | "passwordMissing"
  | "password"
  | "passwordCommon"
  | "invitationMissing"
  | "invitation"
  | "displayName";

export type SignInIssues = Readonly<Partial<Record<SignInField, SignInIssue>>>;

const USERNAME = /^[A-Za-z0-9_.-]{3,64}$/;

/** The server that a person means; an address without a scheme is a secure one. */
export function serverTyped(text: string): string | null {
  const trimmed = text.trim().replace(/\/+$/, "");
  const server = normaliseServerUrl(/^https?:/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  return server.ok ? server.url : null;
}

/** Whether a password to this server can be read on its way. This machine is not on the way to itself. */
export function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** What can be said without asking the server (rules AU2, AB13). */
export function issuesOf(mode: Mode, draft: SignInDraft, registration?: RegistrationMode): SignInIssues {
  const { server, username, displayName, password, invitation } = draft;
  const issues: Partial<Record<SignInField, SignInIssue>> = {};
  if (serverTyped(server) === null) issues.server = "server";
  if (username.trim() === "") issues.username = "usernameMissing";
  else if (mode === "register" && !USERNAME.test(username.trim())) issues.username = "username";
  if (password === "") issues.password = "passwordMissing";
  else if (mode === "register" && passwordProblem(password) !== undefined) issues.password = "password";
  else if (mode === "register" && resemblesUsername(password, username.trim()))
    issues.password = "passwordCommon";
  if (mode === "register" && registration === "invite" && invitation.trim() === "")
    issues.invitation = "invitationMissing";
  const isNamed = mode === "register" && displayName.trim() !== "";
  if (isNamed && nameProblem(displayName) !== undefined) issues.displayName = "displayName";
  return issues;
}

/** What goes to the accounts. */
export function signInOf(mode: Mode, draft: SignInDraft): SignIn {
  const { username, displayName, password, invitation } = draft;
  const signIn = {
    mode,
    serverUrl: serverTyped(draft.server) ?? draft.server,
    username: username.trim(),
    password,
  };
  if (mode === "login") return signIn;
  const [name, code] = [displayName.trim(), invitation.trim()];
  return { ...signIn, ...(name !== "" && { displayName: name }), ...(code !== "" && { invitation: code }) };
}

const ISSUE_OF_PATH: Readonly<Record<string, SignInIssues>> = {
  username: { username: "username" },
  password: { password: "passwordCommon" },
  displayName: { displayName: "displayName" },
  invitation: { invitation: "invitation" },
};

/** The fields that an answer of the server is about; none when it is about the whole. */
export function issuesFrom(error: unknown): SignInIssues {
  if (!(error instanceof ClientProblem)) return {};
  if (error.code === "USERNAME_TAKEN") return { username: "usernameTaken" };
  if (error.code === "INVALID_SERVER_URL") return { server: "server" };
  if (error.refusal === "invite_required") return { invitation: "invitationMissing" };
  if (error.refusal === "invite_invalid") return { invitation: "invitation" };
  if (error.code !== "INVALID_REQUEST") return {};
  return Object.assign({}, ...error.issues.map(({ path }) => ISSUE_OF_PATH[path] ?? {})) as SignInIssues;
}

/** Until when nobody may try again, as the server said. */
export function waitUntil(error: unknown, now: number): number | null {
  if (!(error instanceof ClientProblem) || error.code !== "RATE_LIMITED") return null;
  return error.retryAfterMs === null ? null : now + error.retryAfterMs;
}
