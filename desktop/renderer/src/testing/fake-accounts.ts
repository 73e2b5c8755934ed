import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Accounts, AccountsEvent, AccountsState, Instance } from "@hearth/client";
import type { FakeContent } from "./fake-content.ts";
import { FOREIGN_URL, HOME_URL } from "./fake-content.ts";
import type { Calls } from "./fake-calls.ts";

const DECADE_MS = 315_360_000_000;

const serverAt = (content: FakeContent, url: string, now: number): Instance => ({
  url,
  isHome: url === HOME_URL,
  authorization: "authorized",
  account: {
    userId: content.mine(url),
    username: "nora",
    displayName: "Nora",
    expiresAt: now + DECADE_MS,
    autoProvisioned: url !== HOME_URL,
  },
  failure: null,
  isNewlyProvisioned: false,
});

/** The list of signaling servers, and how one of it changes. */
class Known {
  readonly state: StoreApi<AccountsState>;

  constructor(content: FakeContent, now: number) {
    this.state = createStore<AccountsState>(() => ({
      phase: "signed-in",
      homeUrl: HOME_URL,
      instances: [HOME_URL, FOREIGN_URL].map((url) => serverAt(content, url, now)),
      ended: null,
    }));
  }

  find(url: string): Instance | undefined {
    return this.state.getState().instances.find((server) => server.url === url);
  }

  change(url: string, changes: Partial<Instance>): void {
    this.state.setState(({ instances }) => ({
      instances: instances.map((server) => (server.url === url ? { ...server, ...changes } : server)),
    }));
  }

  keep(wanted: (url: string) => boolean): void {
    this.state.setState(({ instances }) => ({ instances: instances.filter(({ url }) => wanted(url)) }));
  }

  add(server: Instance): void {
    if (this.find(server.url) === undefined)
      this.state.setState(({ instances }) => ({ instances: [...instances, server] }));
  }

  order(urls: readonly string[]): void {
    this.state.setState({ instances: urls.flatMap((url) => this.find(url) ?? []) });
  }
}

const listOf = (known: Known, content: FakeContent, { did, problem }: Calls, now: number) => ({
  token: (url: string) => (known.find(url)?.authorization === "authorized" ? "0".repeat(64) : null),
  actorId: (url: string) => known.find(url)?.account?.userId ?? null,
  async ensureAccount(url: string) {
    await did("accounts.ensureAccount", url);
    const account = known.find(url)?.account;
    if (account == null) throw problem("NEEDS_SIGN_IN");
    return account;
  },
  async forget(url: string) {
    await did("accounts.forget", url);
    known.keep((other) => other !== url);
  },
  isForgotten: (url: string) => known.find(url) === undefined,
  async add(url: string) {
    await did("accounts.add", url);
    const { origin } = new URL(url);
    known.add({ ...serverAt(content, HOME_URL, now), url: origin, isHome: false, account: null });
    return origin;
  },
  reorder: (urls: readonly string[]) => known.order(urls),
  acknowledge: (url: string) => known.change(url, { isNewlyProvisioned: false }),
});

/** Signed in at home and on one foreign server; what is asked of it is done at once. */
export function createFakeAccounts(content: FakeContent, calls: Calls, now: number) {
  const known = new Known(content, now);
  const listeners = new Set<(event: AccountsEvent) => void>();
  const { did } = calls;
  const accounts: Accounts = {
    ...listOf(known, content, calls, now),
    state: known.state,
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start: () => did("accounts.start"),
    resetPassword: (url) => did("accounts.resetPassword", { url }),
    async authenticateUser({ serverUrl, username, mode }) {
      await did("accounts.authenticateUser", { serverUrl, username, mode });
      known.state.setState({ phase: "signed-in", ended: null });
    },
    async authorizeSignalServer({ serverUrl, username, mode }) {
      await did("accounts.authorizeSignalServer", { serverUrl, username, mode });
      known.change(serverUrl, { authorization: "authorized", failure: null });
    },
    signalServerAuthFailed: (url, _token, reason) =>
      known.change(url, { authorization: "needs-sign-in", failure: reason }),
    async signOut() {
      await did("accounts.signOut");
      known.state.setState({ phase: "signed-out" });
    },
    async signOutOf(url) {
      await did("accounts.signOutOf", url);
      known.change(url, { authorization: "needs-sign-in", failure: null });
    },
    rename: (displayName) => did("accounts.rename", displayName),
    noteDisplayName: (url, displayName) => void did("accounts.noteDisplayName", { url, displayName }),
    changePassword: () => did("accounts.changePassword"),
  };
  const tell = (event: AccountsEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  return { accounts, state: known.state, change: known.change.bind(known), tell };
}
