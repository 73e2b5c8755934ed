import { ProblemError } from "@hearth/contracts";
import { bearerToken } from "@hearth/runtime";
import type { Request } from "express";
import type { LocalTokenInfo } from "@hearth/bridge";
import { portsOf } from "./container.ts";
import { exchangeOf } from "./exchange.ts";

/** Carries a problem through the generated routes, which set `status` on the errors that they catch. */
export class AuthenticationFailure extends Error {
  status = 401;
}

function authenticate(request: Request): LocalTokenInfo {
  const token = bearerToken(request);
  if (token === undefined) throw new ProblemError("AUTH_REQUIRED");
  return portsOf(request).access.verify(token);
}

/** Called by the generated routes for every operation with the scheme `bearer`. */
export async function expressAuthentication(request: Request, _scheme: string): Promise<LocalTokenInfo> {
  try {
    const token = authenticate(request);
    exchangeOf(request).token = token;
    return token;
  } catch (cause) {
    throw new AuthenticationFailure("The request was not authenticated", { cause });
  }
}
