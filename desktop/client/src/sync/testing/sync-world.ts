import { createStore } from "zustand/vanilla";
import type { ClientStore } from "@hearth/store";
import type { AccountsState } from "../../accounts/accounts.ts";
import { openFakeStore } from "@hearth/store/testing";
import { createFakeClock, settled } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import type { FakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { AccountSync, Applied } from "../account-sync.ts";
import { createAccountSync } from "../create-account-sync.ts";
import { HOME, ME, Relay, RelayClient } from "./relay.ts";

const STEP_MS = 1_500;

const accounts = {
  state: createStore<AccountsState>(() => ({
    phase: "signed-in",
    homeUrl: HOME,
    instances: [],
    ended: null,
  })),
  actorId: (url: string): string | null => (url === HOME ? ME : `${ME.slice(0, -2)}bb`),
};

/** A device, or one of its tabs: a store, a connection and account sync. */
export interface Sibling {
  readonly platform: FakePlatform;
  readonly store: ClientStore;
  readonly client: RelayClient;
  readonly applied: Applied[];
  sync: AccountSync;
  /** Reloads the page: the memory is lost. */
  restart(): Promise<void>;
  /** Another tab of the same browser. */
  openTab(): Promise<Sibling>;
}

export interface SyncWorldOptions {
  readonly random?: () => number;
  readonly duplicates?: number;
}

/** A store that counts its running calls. */
function watched(store: ClientStore): { readonly store: ClientStore; readonly isBusy: () => boolean } {
  let calls = 0;
  const get = (target: ClientStore, name: string | symbol): unknown => {
    const call = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]) => {
      calls += 1;
      try {
        return await call(...args);
      } finally {
        calls -= 1;
      }
    };
  };
  return {
    store: new Proxy(store, { get }),
    isBusy: () => calls > 0,
  };
}

/** Devices of one account on one server. */
export class SyncWorld {
  readonly clock = createFakeClock();
  readonly relay: Relay;
  readonly siblings: Sibling[] = [];
  readonly #busy: (() => boolean)[] = [];

  constructor({ random = () => 0, duplicates = 0 }: SyncWorldOptions = {}) {
    this.relay = new Relay({ random, duplicates, now: () => this.clock.now() });
  }

  async open(): Promise<Sibling> {
    const { store, isBusy } = watched(await openFakeStore(() => this.clock.now()));
    this.#busy.push(isBusy);
    return this.#join(createFakeDevice(this.clock), store);
  }

  async #join(device: FakeDevice, store: ClientStore): Promise<Sibling> {
    const platform = createFakePlatform({ device, seed: this.siblings.length + 1 });
    const name = `Device ${this.siblings.length + 1}`;
    const client = new RelayClient(this.relay, platform.newId(), name);
    const applied: Applied[] = [];
    const isHere = async (id: string): Promise<boolean> =>
      this.siblings.some((other) => other.store === store && other.client.instanceId === id);
    const begin = async (): Promise<AccountSync> => {
      const instance = { id: client.instanceId, isHere };
      const sync = createAccountSync({
        ...{ platform, store, accounts, connections: client, instance, deviceName: name },
      });
      sync.onApplied((one) => applied.push(one));
      await sync.start();
      return sync;
    };
    const sibling: Sibling = {
      ...{ platform, store, client, applied, sync: await begin() },
      restart: async () => {
        client.disconnect();
        sibling.sync.stop();
        await settled(4);
        sibling.sync = await begin();
      },
      openTab: async () => this.#join(device, store),
    };
    this.siblings.push(sibling);
    return sibling;
  }

  /** Waits until nothing was sent for that long. */
  async settle(quietMs = 12_000): Promise<void> {
    let quiet = 0;
    while (quiet < quietMs) {
      await this.#storesRest();
      if (this.relay.isIdle()) {
        await this.clock.advance(STEP_MS);
        await this.#storesRest();
        quiet = this.relay.isIdle() ? quiet + STEP_MS : 0;
      } else {
        this.relay.step();
        await settled(1);
        quiet = 0;
      }
    }
  }

  async #storesRest(): Promise<void> {
    while (this.#busy.some((isBusy) => isBusy())) await settled(1);
  }

  close(): void {
    for (const { sync, client } of this.siblings) {
      sync.stop();
      client.disconnect();
    }
  }
}
