import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouteContract } from "@hearth/contracts";
import { ProblemError } from "@hearth/contracts";
import { readBearer, requireToken } from "../identity/bearer.ts";
import type { Identities, Identity } from "../identity/identities.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import type { Budgets } from "./budgets.ts";
import { replaceHeaders, restHeaders } from "./forward-headers.ts";

export interface Forwarding {
  readonly route: RouteContract;
  readonly upstream: Upstream;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly budgets: Budgets;
}

/** The identity of one request, which can be renewed when the request took long to arrive. */
interface Credential {
  readonly identity: Identity | undefined;
  renew(): Promise<Identity | undefined>;
}

const isRefusal = (error: unknown): boolean => error instanceof ProblemError && error.code === "AUTH_INVALID";

const ANONYMOUS: Credential = { identity: undefined, renew: async () => undefined };

/**
 * GW3: a public route never looks at a token, and a route with an optional token ignores a bad one. While auth cannot be
 * asked, a request with a token is refused with 503 or 504 on an optional route too: treated as a stranger, its sender might
 * be told that their own private server does not exist (ER6).
 */
async function credentialOf(
  route: RouteContract,
  rawHeaders: readonly string[],
  identities: Identities,
): Promise<Credential> {
  if (route.auth === "none") return ANONYMOUS;
  const presented = readBearer(rawHeaders);
  if (route.auth === "bearer")
    return renewable(requireToken(presented), (token) => identities.of(token), identities);
  if (presented.kind !== "token") return ANONYMOUS;
  const ask = async (token: string): Promise<Identity | undefined> => {
    try {
      return await identities.of(token);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  };
  return renewable(presented.token, ask, identities);
}

async function renewable(
  token: string,
  ask: (token: string) => Promise<Identity | undefined>,
  identities: Identities,
): Promise<Credential> {
  const identity = await ask(token);
  return {
    identity,
    renew: async () => (identity && !identities.stillHolds(identity) ? ask(token) : identity),
  };
}

/** Passes a request on under the identity of its token, without any identity header of its own. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { route, upstream, requestId, clientAddress, budgets }: Forwarding,
  identities: Identities,
): Promise<void> {
  budgets.arrive(route, clientAddress);
  const credential = await credentialOf(route, request.rawHeaders, identities).catch((error: unknown) => {
    if (isRefusal(error)) budgets.identify(route, clientAddress, undefined);
    throw error;
  });
  budgets.identify(route, clientAddress, credential.identity?.userId);
  const setHeaders = (identity: Identity | undefined): void => {
    replaceHeaders(request, restHeaders(request.headers, { requestId, clientAddress, jwt: identity?.jwt }));
  };
  setHeaders(credential.identity);
  await upstream.handle(request, response, async () => {
    const renewed = await credential.renew();
    if (renewed !== credential.identity) setHeaders(renewed);
  });
}
