import type { IncomingMessage } from "node:http";
import type { Log } from "@hearth/runtime";
import { clientAddressOf, trustNobody } from "./client-address.ts";
import type { ProxyTrust } from "./client-address.ts";

/** Reads the client's address of a request (AU8, GW6). */
export type RequestAddress = (request: IncomingMessage) => string;

/** Warns once about a proxy that is not configured, because all clients would then share the limits of one address. */
export function createRequestAddress(trust: ProxyTrust, log: Log): RequestAddress {
  let warned = trust !== trustNobody;
  return ({ headers, socket }) => {
    const forwardedFor = headers["x-forwarded-for"]?.toString();
    if (forwardedFor !== undefined && !warned) {
      warned = true;
      log.warn(
        { variable: "TRUST_PROXY" },
        "X-Forwarded-For arrives but no proxy is trusted: behind a proxy, all clients share the limits of one address",
      );
    }
    return clientAddressOf(socket.remoteAddress, forwardedFor, trust);
  };
}
