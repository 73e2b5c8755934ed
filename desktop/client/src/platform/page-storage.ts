import type { KeyValues, Secrets } from "../ports.ts";

function memoryValues(): KeyValues {
  const entries = new Map<string, string>();
  return {
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  };
}

/** The page's storage; in memory where storage is forbidden. */
export function pageValues(name: "localStorage" | "sessionStorage"): KeyValues {
  let storage: Storage;
  try {
    storage = window[name];
  } catch {
    return memoryValues();
  }
  return {
    get: (key) => storage.getItem(key),
    set: (key, value) => storage.setItem(key, value),
    remove: (key) => storage.removeItem(key),
  };
}

/** Not available without a secure context. */
export async function keepStorage(): Promise<boolean> {
  if (!("storage" in navigator) || !("persist" in navigator.storage)) return false;
  return navigator.storage.persist().catch(() => false);
}

export function onLocalChange(listener: (key: string | null) => void): () => void {
  const onEvent = ({ storageArea, key }: StorageEvent): void => {
    if (storageArea !== window.sessionStorage) listener(key);
  };
  window.addEventListener("storage", onEvent);
  return () => window.removeEventListener("storage", onEvent);
}

const secretKey = (name: string): string => `app.secret.${name}`;

/** Secrets of a browser tab (rule CL1). */
export const sessionSecrets = (session: KeyValues): Secrets => ({
  level: async () => "session",
  get: async (name) => session.get(secretKey(name)),
  set: async (name, value) => {
    session.set(secretKey(name), value);
    return "session";
  },
  remove: async (name) => session.remove(secretKey(name)),
});
