import { hostname, networkInterfaces } from "node:os";
import { systemClock } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";

/** What this machine is called on its network, asked each time. */
export interface Machine {
  /** Addresses of its interfaces, loopback ones included. */
  addresses(): readonly string[];
  /** As in `os.hostname()`. */
  hostname(): string;
}

const withoutZone = (address: string): string => address.replace(/%.*$/, "");

export const thisMachine: Machine = {
  addresses: () =>
    Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).map(({ address }) => withoutZone(address)),
    ),
  hostname,
};

/** How a `Host` header names an address. */
const hostOf = (address: string): string => (address.includes(":") ? `[${address.toLowerCase()}]` : address);

const FRESH_MS = 1_000;

/** The machine's names as `Host` headers have them; a network may change, so they are never older than a second. */
export function createOwnNames(
  machine: Machine = thisMachine,
  clock: Clock = systemClock,
): () => ReadonlySet<string> {
  let names: ReadonlySet<string> = new Set();
  let readAt = -Infinity;
  return () => {
    const now = clock.now();
    if (Math.abs(now - readAt) < FRESH_MS) return names;
    readAt = now;
    const [label = ""] = machine.hostname().toLowerCase().split(".");
    names = new Set([...machine.addresses().map(hostOf), ...(label === "" ? [] : [`${label}.local`])]);
    return names;
  };
}
