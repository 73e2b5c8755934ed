import type { Tab } from "./tab.ts";

/** One entry of `app.signalServerCredentials` (interface 2.7). */
export interface StoredCredential {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly token: string;
  readonly autoProvisioned: boolean;
}

/** A page's local and session storage, and its database records as text. */
export interface Kept {
  readonly local: Readonly<Record<string, string>>;
  readonly session: Readonly<Record<string, string>>;
  readonly records: string;
}

const READ_ALL = `(async () => {
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const records = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      records.push(await settled(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return { local: { ...localStorage }, session: { ...sessionStorage }, records: JSON.stringify(records) };
})()`;

export const storedData = (tab: Tab): Promise<Kept> => tab.page.evaluate(READ_ALL);

/** The page's stored credentials, by instance. */
export async function storedCredentials(tab: Tab): Promise<Readonly<Record<string, StoredCredential>>> {
  const { local } = await storedData(tab);
  return JSON.parse(local["app.signalServerCredentials"] ?? "{}") as Record<string, StoredCredential>;
}

export async function storedCredential(tab: Tab, url: string): Promise<StoredCredential> {
  const credential = (await storedCredentials(tab))[url];
  if (credential === undefined) throw new Error("The page keeps no credential for this server");
  return credential;
}

/** The secret from which the page derives passwords for foreign accounts (rule CL1). */
export function storedSecret({ session }: Kept): string {
  const found = Object.entries(session).find(([key]) => key.includes("provision-secret"));
  if (found === undefined) throw new Error("The page keeps no provision secret");
  return found[1];
}
