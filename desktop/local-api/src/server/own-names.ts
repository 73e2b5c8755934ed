import { hostname, networkInterfaces } from "node:os";
import { systemClock } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";

/** The names of this machine on its network, read on every call. */
export interface Machine {
  /** Addresses of its interfaces, with loopback. */
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

/** An address in the form of a `Host` header. */
const hostOf = (address: string): string => (address.includes(":") ? `[${address.toLowerCase()}]` : address);

const FRESH_MS = 1_000;

/** The machine's names in the form of `Host` headers, cached for a second because networks change. */
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
