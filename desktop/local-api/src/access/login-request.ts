import { ProblemError } from "@hearth/contracts";
import { invalidRequest } from "@hearth/runtime";
import { z } from "zod";
import { normaliseServerUrl } from "@hearth/device";

/** An account of a signaling server; that server checks the password (interface 2.4). */
export interface LoginRequest {
  /**
   * @minLength 1 must not be empty
   * @maxLength 256 must have at most 256 characters
   */
  readonly username: string;
  /**
   * @minLength 1 must not be empty
   * @maxLength 1024 must have at most 1024 characters
   * @format password
   */
  readonly password: string;
  /**
   * URL of the signaling server. It must be on the allowed list.
   * @minLength 1 must not be empty
   * @maxLength 2048 must have at most 2048 characters
   * @format uri
   */
  readonly serverUrl: string;
}

const wellFormed = (text: string): boolean => text.isWellFormed();
const field = (max: number) =>
  z.string().min(1, "must not be empty").max(max).refine(wellFormed, "must be well-formed Unicode");

const loginRequest: z.ZodType<LoginRequest> = z.object({
  username: field(256),
  password: field(1_024),
  serverUrl: field(2_048).refine((text) => URL.canParse(text), "must be a URL"),
});

/**
 * Refuses in the order of interface 7. Text that is no URL is an invalid request. A URL that could be mistaken for
 * another (rule LA5) is not allowed.
 */
export function checkedLogin(body: unknown, allowedServers: () => readonly string[]): LoginRequest {
  const request = loginRequest.safeParse(body);
  if (!request.success) throw invalidRequest(request.error);
  const allowed = allowedServers();
  if (allowed.length === 0) throw new ProblemError("NO_ALLOWED_SERVERS");
  const server = normaliseServerUrl(request.data.serverUrl);
  if (!server.ok || !isAllowed(server.url, allowed)) throw new ProblemError("SERVER_NOT_ALLOWED");
  return { ...request.data, serverUrl: server.url };
}

/** Compares normalised URLs (rule LA5). Malformed entries of the list allow nothing. */
export const isAllowed = (serverUrl: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => {
    const server = normaliseServerUrl(entry);
    return server.ok && server.url === serverUrl;
  });
