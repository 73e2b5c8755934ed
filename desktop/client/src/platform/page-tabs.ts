import type { Platform, Tabs } from "../ports.ts";
import { createLeaseLocks } from "./lease-locks.ts";

const CHANNEL = "hearth";

/** Web locks are released with their tab. They need a secure context. */
function exclusiveByLocks(locks: LockManager): Tabs["exclusive"] {
  return async (name, work, signal) => {
    try {
      await locks.request(`hearth:${name}`, signal === undefined ? {} : { signal }, async () => {
        if (signal?.aborted !== true) await work();
      });
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) return;
      throw error;
    }
  };
}

type Deps = Pick<Platform, "local" | "now" | "later" | "random" | "newId">;

function exclusiveByLeases(deps: Deps): Tabs["exclusive"] {
  const leases = createLeaseLocks(deps);
  window.addEventListener("pagehide", () => leases.releaseAll());
  return leases.exclusive;
}

/** `locks` is missing without a secure context, whatever the types say. */
const webLocks = (): LockManager | undefined => (navigator as Partial<Pick<Navigator, "locks">>).locks;

export function pageTabs(deps: Deps): Tabs {
  const channel = new BroadcastChannel(CHANNEL);
  const locks = webLocks();
  return {
    post: (message) => channel.postMessage(message),
    onMessage(listener) {
      const onEvent = ({ data }: MessageEvent<unknown>): void => listener(data);
      channel.addEventListener("message", onEvent);
      return () => channel.removeEventListener("message", onEvent);
    },
    exclusive: locks === undefined ? exclusiveByLeases(deps) : exclusiveByLocks(locks),
  };
}
