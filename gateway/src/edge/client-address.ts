import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Log } from "@hearth/runtime";

/** Whether a proxy is trusted, by its address and its distance from the gateway (0 is the peer). */
export type ProxyTrust = (address: string, distance: number) => boolean;

export const trustNobody: ProxyTrust = () => false;

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const MAX_HOPS = 32;

function addRange(list: BlockList, range: string): boolean {
  const [address = "", prefix] = range.split("/");
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  if (prefix === undefined) list.addAddress(address, type);
  else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)) {
    list.addSubnet(address, Number(prefix), type);
  } else return false;
  return true;
}

/**
 * Parses `TRUST_PROXY`: the number of proxies in front, or their addresses, CIDR ranges, `loopback`, `linklocal` or
 * `uniquelocal`; `undefined` for other text. There is no "all", because then any client could choose its address.
 */
export function parseTrustProxy(text: string): ProxyTrust | undefined {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const [first = ""] = parts;
  if (parts.length === 0) return trustNobody;
  if (parts.length === 1 && /^\d+$/.test(first)) {
    const hops = Number(first);
    return hops <= MAX_HOPS ? (_address, distance) => distance < hops : undefined;
  }
  const list = new BlockList();
  const ranges = parts.flatMap((part) => NAMED[part.toLowerCase()] ?? [part]);
  if (!ranges.every((range) => addRange(list, range))) return undefined;
  return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** An address in one spelling: IPv4 instead of IPv4-mapped IPv6, without port and zone; `undefined` for other text. */
export function plainAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * The client's address: the peer, or the address that the outermost trusted proxy names. Everything to the left of it in
 * `X-Forwarded-For` was written by strangers (AU8, GW6).
 */
export function clientAddressOf(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trust: ProxyTrust,
): string {
  let address = plainAddress(peer ?? "") ?? "unknown";
  if (forwardedFor === undefined || trust === trustNobody) return address;
  const named = forwardedFor.split(",").slice(-MAX_HOPS).reverse();
  for (const [distance, text] of named.entries()) {
    const next = plainAddress(text);
    if (next === undefined || !trust(address, distance)) break;
    address = next;
  }
  return address;
}

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
