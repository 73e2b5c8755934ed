import { z } from "zod";
import type { KeyValues, Platform, Tabs } from "../ports.ts";

/** Longer than the timers of a background page may pause. */
const LEASE_MS = 75_000;
const RENEW_MS = 15_000;
/** Until no other tab can have written at the same moment. */
const CONFIRM_MS = 60;
const AGAIN_MS = 250;

const lease = z.object({ owner: z.string(), until: z.number() });

const keyOf = (name: string): string => `app.lock.${name}`;

type Deps = Pick<Platform, "now" | "later" | "random" | "newId"> & { readonly local: KeyValues };

/** Locks between the tabs of one browser, for pages without a secure context, where the browser offers none. */
export interface LeaseLocks {
  readonly exclusive: Tabs["exclusive"];
  /** Call it when the page goes away. */
  releaseAll(): void;
}

export function createLeaseLocks({ local, now, later, random, newId }: Deps): LeaseLocks {
  const held = new Map<string, () => void>();

  const ownerOf = (name: string): string | null => {
    try {
      const { owner, until } = lease.parse(JSON.parse(local.get(keyOf(name)) ?? "null"));
      return until > now() && until <= now() + LEASE_MS ? owner : null;
    } catch {
      return null;
    }
  };
  const write = (name: string, owner: string): void =>
    local.set(keyOf(name), JSON.stringify({ owner, until: now() + LEASE_MS }));
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void later(milliseconds * (1 + random()), resolve));

  const take = async (name: string, owner: string, signal: AbortSignal | undefined): Promise<boolean> => {
    while (signal?.aborted !== true) {
      if (ownerOf(name) === null) {
        write(name, owner);
        await pause(CONFIRM_MS);
        if (ownerOf(name) === owner) return true;
      }
      await pause(AGAIN_MS);
    }
    return false;
  };
  const hold = (name: string, owner: string): (() => void) => {
    let stop = (): void => undefined;
    const renew = (): void => {
      if (ownerOf(name) === owner) write(name, owner);
      stop = later(RENEW_MS, renew);
    };
    renew();
    return () => {
      stop();
      held.delete(owner);
      if (ownerOf(name) === owner) local.remove(keyOf(name));
    };
  };
  return {
    async exclusive(name, work, signal) {
      const owner = newId();
      if (!(await take(name, owner, signal))) return;
      const release = hold(name, owner);
      held.set(owner, release);
      try {
        if (signal?.aborted !== true) await work();
      } finally {
        release();
      }
    },
    releaseAll: () => [...held.values()].forEach((release) => release()),
  };
}
