import type { Platform } from "../ports.ts";
import { keepStorage, onLocalChange, pageValues } from "./page-storage.ts";
import { pageSituation } from "./page-situation.ts";
import { pageTabs } from "./page-tabs.ts";
import { createIdSource } from "../uuid.ts";

/** The longest delay of a browser's timer; a longer one would fire at once. */
const MAX_WAIT_MS = 2_147_483_647;

const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length));

const now = (): number => Date.now();

const random = (): number => Math.random();

function later(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(milliseconds, MAX_WAIT_MS));
  return () => clearTimeout(timer);
}

/** What pages in a browser and in the desktop window have in common. */
export function createPage(): Omit<
  Platform,
  "kind" | "bridge" | "version" | "deviceName" | "secrets" | "notifications"
> {
  const local = pageValues("localStorage");
  const newId = createIdSource(now, randomBytes);
  return {
    origin: window.location.origin,
    ...{ local, onLocalChange, newId, now, later, random, randomBytes },
    session: pageValues("sessionStorage"),
    tabs: pageTabs({ local, newId, now, later, random }),
    ...pageSituation(),
    keepStorage,
    fetch: (input, init) => window.fetch(input, init),
    openSocket: (url) => new WebSocket(url),
  };
}
