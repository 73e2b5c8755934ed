import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * What counts as one client address (rule AU8): an IPv4 address, also where it is written as IPv6, and the /64 of
 * an IPv6 address, whose owner has all of it. Whatever is no address shares one block, `unknown`.
 */
export function addressBlock(address: string): string {
  if (isIP(address) === 0) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
