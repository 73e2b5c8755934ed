import type { DeviceCredential } from "@hearth/device";
import type { DeviceProfile } from "@hearth/device";
import { ClientProblem } from "@hearth/device";
import { createRest } from "../../rest/create-rest.ts";
import { createFakeAuthServers } from "../../testing/fake-auth-server.ts";
import type { FakeAuthServers } from "../../testing/fake-auth-server.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { Accounts, AccountsEvent, Instance } from "../accounts.ts";
import { createAccounts } from "../create-accounts.ts";
import type { OwnerStore } from "../device-owner.ts";

export const HOME = "http://home.example";
export const B = "https://b.example";
export const C = "https://c.example";
export const anna = { serverUrl: HOME, username: "anna", password: "correct horse", displayName: "Anna" };

/** The few records of the store that accounts need. */
function ownerStore() {
  let profile: DeviceProfile | undefined;
  const credentials = new Map<string, DeviceCredential>();
  const meta = new Map<string, string>();
  const store: OwnerStore = {
    profile: async () => profile,
    saveProfile: async (saved) => void (profile = saved),
    saveCredential: async (saved) => void credentials.set(saved.signalServerUrl, saved),
    removeCredential: async (url) => void credentials.delete(url),
    setMeta: async (key, value) => void meta.set(key, value),
    eraseAll: async () => {
      profile = undefined;
      credentials.clear();
      meta.clear();
    },
  };
  return { store, credentials, meta, profile: () => profile };
}

export interface Tab {
  readonly platform: FakePlatform;
  readonly accounts: Accounts;
  readonly events: readonly AccountsEvent[];
  readonly owner: ReturnType<typeof ownerStore>;
}

export async function openTab(platform: FakePlatform, owner = ownerStore()): Promise<Tab> {
  const rest = createRest({
    platform,
    token: (url) => accounts.token(url),
    onAuthFailure: (url, token, reason) => accounts.signalServerAuthFailed(url, token, reason),
  });
  const accounts = createAccounts({ platform, rest, store: owner.store });
  const events: AccountsEvent[] = [];
  accounts.on((event) => events.push(event));
  await accounts.start();
  return { platform, accounts, events, owner };
}

/** A tab, and the instances that its network reaches. */
export interface Device extends Tab {
  readonly servers: FakeAuthServers;
}

export async function deviceUnderTest(): Promise<Device> {
  const platform = createFakePlatform();
  const servers = createFakeAuthServers(platform.network, () => platform.now());
  return { ...(await openTab(platform)), servers };
}

/** Runs what is due within a short time. */
export async function during<Result>({ platform }: Tab, work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  await platform.clock.advance(1_000);
  return work;
}

export async function register(tab: Tab): Promise<void> {
  await during(tab, tab.accounts.authenticateUser({ mode: "register", ...anna }));
}

/** Registers at home, with a silently created account on each of these instances. */
export async function signedIn(...urls: readonly string[]): Promise<Device> {
  const device = await deviceUnderTest();
  await register(device);
  for (const url of urls) await during(device, device.accounts.ensureAccount(url));
  return device;
}

/** An instance rejects the current token. */
export function refuseToken(
  { accounts }: Tab,
  url: string,
  reason: Parameters<Accounts["signalServerAuthFailed"]>[2],
): void {
  accounts.signalServerAuthFailed(url, accounts.token(url) ?? "", reason);
}

export const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no problem",
    (error: unknown) => (error instanceof ClientProblem ? error.code : String(error)),
  );

export const server = ({ accounts }: Tab, url: string): Instance | undefined =>
  accounts.state.getState().instances.find((it) => it.url === url);

export const stored = ({ platform }: Tab, key: string): unknown =>
  JSON.parse(platform.local.get(key) ?? "null");
