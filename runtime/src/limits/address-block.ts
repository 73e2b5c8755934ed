import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The unit in which client addresses are counted (rule AU8): an IPv4 address, also when it is written as IPv6, or the /64
 * of an IPv6 address, because one customer owns all of it. Text that is not an address counts as the block `unknown`.
 */
export function addressBlock(address: string): string {
  if (isIP(address) === 0) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
