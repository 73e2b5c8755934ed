import type { Bus } from "../bus/bus.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";
import { silentLog } from "../log/log.ts";

/** A bus that a test reconnects at will, like the networked one after a lost connection. */
export function interruptedBus(): { readonly bus: Bus; readonly comesBack: () => void } {
  const memory = createMemoryBus({ log: silentLog });
  const listeners: (() => void)[] = [];
  const bus: Bus = {
    get connected() {
      return memory.connected;
    },
    request: (...given) => memory.request(...given),
    answer: (...given) => memory.answer(...given),
    publish: (...given) => memory.publish(...given),
    subscribe: (...given) => memory.subscribe(...given),
    close: () => memory.close(),
    onReconnect(listener) {
      listeners.push(listener);
      return { close: () => void listeners.splice(listeners.indexOf(listener), 1) };
    },
  };
  return { bus, comesBack: () => [...listeners].forEach((listener) => listener()) };
}
