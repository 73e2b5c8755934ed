import type { KeyValues, Tabs } from "../ports.ts";
import { createFakeClock } from "./fake-clock.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakeNetwork } from "./fake-network.ts";
import type { FakeNetwork } from "./fake-network.ts";

/** Storage of one page; with `isFull` every write throws as a browser's does. */
export interface FakeKeyValues extends KeyValues {
  readonly entries: Map<string, string>;
  isFull: boolean;
}

export function createFakeKeyValues(
  entries = new Map<string, string>(),
  onWrite: (key: string) => void = () => undefined,
): FakeKeyValues {
  return {
    entries,
    isFull: false,
    get: (key) => entries.get(key) ?? null,
    set(key, value) {
      if (this.isFull) throw new DOMException("The storage is full", "QuotaExceededError");
      entries.set(key, value);
      onWrite(key);
    },
    remove(key) {
      if (entries.delete(key)) onWrite(key);
    },
  };
}

interface Tab {
  readonly messages: Set<(message: unknown) => void>;
  readonly localChanges: Set<(key: string | null) => void>;
}

/** What the tabs of one browser share: clock, network, local storage, channel and locks. */
export interface FakeDevice {
  readonly clock: FakeClock;
  readonly network: FakeNetwork;
  readonly localEntries: Map<string, string>;
  join(): {
    readonly tab: Tab;
    readonly tabs: Tabs;
    readonly local: FakeKeyValues;
    readonly leave: () => void;
  };
}

const called = async (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));

function createLocks() {
  const last = new Map<string, Promise<void>>();
  return (gone: AbortSignal): Tabs["exclusive"] =>
    async (name, work, signal) => {
      const before = last.get(name) ?? Promise.resolve();
      let release = (): void => undefined;
      const free = new Promise<void>((resolve) => void (release = resolve));
      last.set(
        name,
        before.then(() => free),
      );
      try {
        await Promise.race([before, called(signal), called(gone)]);
        if (signal?.aborted === true || gone.aborted) return;
        await Promise.race([work(), called(gone)]);
      } finally {
        release();
      }
    };
}

export function createFakeDevice(clock = createFakeClock(), network = createFakeNetwork()): FakeDevice {
  const all = new Set<Tab>();
  const localEntries = new Map<string, string>();
  const locks = createLocks();
  const othersOf = (tab: Tab): readonly Tab[] => [...all].filter((it) => it !== tab);

  const join: FakeDevice["join"] = () => {
    const tab: Tab = { messages: new Set(), localChanges: new Set() };
    const gone = new AbortController();
    all.add(tab);
    const tabs: Tabs = {
      post(message) {
        const copy: unknown = structuredClone(message);
        if (gone.signal.aborted) return;
        queueMicrotask(() => othersOf(tab).forEach(({ messages }) => messages.forEach((tell) => tell(copy))));
      },
      onMessage(listener) {
        tab.messages.add(listener);
        return () => void tab.messages.delete(listener);
      },
      exclusive: locks(gone.signal),
    };
    const local = createFakeKeyValues(localEntries, (key) =>
      queueMicrotask(() =>
        othersOf(tab).forEach(({ localChanges }) => localChanges.forEach((tell) => tell(key))),
      ),
    );
    const leave = (): void => {
      all.delete(tab);
      gone.abort();
    };
    return { tab, tabs, local, leave };
  };
  return { clock, network, localEntries, join };
}
