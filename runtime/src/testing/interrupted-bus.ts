import type { Bus } from "../bus/bus.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";
import { silentLog } from "../log/log.ts";

/** A bus that a test reconnects at will, like the networked one after a lost connection. */
export function interruptedBus(): { readonly bus: Bus; readonly reconnect: () => void } {
  const memory = createMemoryBus({ log: silentLog });
  const listeners: (() => void)[] = [];
  const bus: Bus = {
    get connected() {
      return memory.connected;
    },
    request: (...args) => memory.request(...args),
    answer: (...args) => memory.answer(...args),
    publish: (...args) => memory.publish(...args),
    subscribe: (...args) => memory.subscribe(...args),
    close: () => memory.close(),
    onReconnect(listener) {
      listeners.push(listener);
      return { close: () => void listeners.splice(listeners.indexOf(listener), 1) };
    },
  };
  return { bus, reconnect: () => [...listeners].forEach((listener) => listener()) };
}
