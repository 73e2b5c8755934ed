import { createStore } from "zustand/vanilla";
import type { Accounts, AccountsEvent, AccountsState, SignalServer } from "../../client/accounts/accounts.ts";
import type { FakeContent } from "./fake-content.ts";
import { FOREIGN_URL, HOME_URL } from "./fake-content.ts";
import type { Calls } from "./fake-calls.ts";

const DECADE_MS = 315_360_000_000;

const serverAt = (content: FakeContent, url: string, now: number): SignalServer => ({
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

/** Signed in at home and on one foreign server; what is asked of it is done at once. */
export function createFakeAccounts(content: FakeContent, calls: Calls, now: number) {
  const state = createStore<AccountsState>(() => ({
    phase: "signed-in",
    homeUrl: HOME_URL,
    servers: [HOME_URL, FOREIGN_URL].map((url) => serverAt(content, url, now)),
    ended: null,
  }));
  const listeners = new Set<(event: AccountsEvent) => void>();
  const { did } = calls;
  const find = (url: string) => state.getState().servers.find((server) => server.url === url);
  const change = (url: string, changes: Partial<SignalServer>): void =>
    state.setState(({ servers }) => ({
      servers: servers.map((server) => (server.url === url ? { ...server, ...changes } : server)),
    }));
  const accounts: Accounts = {
    state,
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start: () => did("accounts.start"),
    async authenticateUser({ serverUrl, username, mode }) {
      await did("accounts.authenticateUser", { serverUrl, username, mode });
      state.setState({ phase: "signed-in", ended: null });
    },
    async authorizeSignalServer({ serverUrl, username, mode }) {
      await did("accounts.authorizeSignalServer", { serverUrl, username, mode });
      change(serverUrl, { authorization: "authorized", failure: null });
    },
    token: (url) => (find(url)?.authorization === "authorized" ? "0".repeat(64) : null),
    actorId: (url) => find(url)?.account?.userId ?? null,
    async ensureAccount(url) {
      await did("accounts.ensureAccount", url);
      const account = find(url)?.account;
      if (account == null) throw calls.problem("NEEDS_SIGN_IN");
      return account;
    },
    signalServerAuthFailed: (url, _token, reason) =>
      change(url, { authorization: "needs-sign-in", failure: reason }),
    async signOut() {
      await did("accounts.signOut");
      state.setState({ phase: "signed-out" });
    },
    async signOutOf(url) {
      await did("accounts.signOutOf", url);
      change(url, { authorization: "needs-sign-in", failure: null });
    },
    async forget(url) {
      await did("accounts.forget", url);
      state.setState(({ servers }) => ({ servers: servers.filter((server) => server.url !== url) }));
    },
    async add(url) {
      await did("accounts.add", url);
      const { origin } = new URL(url);
      if (find(origin) === undefined)
        state.setState(({ servers }) => ({
          servers: [
            ...servers,
            { ...serverAt(content, HOME_URL, now), url: origin, isHome: false, account: null },
          ],
        }));
      return origin;
    },
    reorder: (urls) =>
      state.setState(({ servers }) => ({
        servers: urls.flatMap((url) => servers.find((server) => server.url === url) ?? []),
      })),
    acknowledge: (url) => change(url, { isNewlyProvisioned: false }),
    rename: (displayName) => did("accounts.rename", displayName),
    changePassword: () => did("accounts.changePassword"),
  };
  return {
    accounts,
    state,
    tell: (event: AccountsEvent) => listeners.forEach((listener) => listener(event)),
  };
}
