import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Platform } from "../ports.ts";

const NAME = "provision-secret";
const BYTES = 32;
/** How long another tab may take to answer. */
const ASKED_MS = 150;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function bytesOf(text: string | null): Uint8Array | null {
  if (text === null || !/^[\w-]{43}$/.test(text)) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The account that the passwords are made for; another one on the same device gets others. */
export interface HomeAccount {
  readonly homeUrl: string;
  readonly userId: string;
}

/** The secret of this install, from which the passwords of accounts elsewhere are made (rule CL1). */
export interface ProvisionSecret {
  /** Makes and keeps one where there is none. */
  ensure(): Promise<void>;
  /** The password for one signaling server. It says nothing about that of another. */
  passwordFor(url: string, home: HomeAccount): Promise<string>;
}

type Place = Pick<Platform, "secrets" | "randomBytes" | "tabs" | "later" | "newId">;

const WANTED = "provision-secret-wanted";
const GIVEN = "provision-secret-given";

interface Word {
  readonly type: typeof WANTED | typeof GIVEN;
  readonly ask: string;
  readonly secret?: string;
}

const isWord = (message: unknown): message is Word =>
  typeof message === "object" && message !== null && "type" in message && "ask" in message;

/** Session storage belongs to one tab, so that a further tab of the same browser asks those that are there. */
function askTabs({ tabs, later, newId }: Place): Promise<string | null> {
  const ask = newId();
  return new Promise((resolve) => {
    const finish = (secret: string | null): void => {
      stop();
      calledOff();
      resolve(secret);
    };
    const stop = tabs.onMessage((message) => {
      if (isWord(message) && message.type === GIVEN && message.ask === ask) finish(message.secret ?? null);
    });
    const calledOff = later(ASKED_MS, () => finish(null));
    tabs.post({ type: WANTED, ask } satisfies Word);
  });
}

export function createProvisionSecret(place: Place): ProvisionSecret {
  const { secrets, tabs, randomBytes } = place;
  let making: Promise<Uint8Array> | null = null;

  const find = async (): Promise<Uint8Array> => {
    const stored = bytesOf(await secrets.get(NAME));
    if (stored !== null) return stored;
    const secret = bytesOf(await askTabs(place)) ?? randomBytes(BYTES);
    await secrets.set(NAME, base64url(secret));
    return secret;
  };
  const secretOf = (): Promise<Uint8Array> => {
    making ??= find().finally(() => (making = null));
    return making;
  };
  tabs.onMessage((message) => {
    if (!isWord(message) || message.type !== WANTED) return;
    void secrets.get(NAME).then(
      (secret) => {
        if (bytesOf(secret) !== null) tabs.post({ type: GIVEN, ask: message.ask, secret });
      },
      () => undefined,
    );
  });
  return {
    async ensure() {
      await secretOf();
    },
    async passwordFor(url, { homeUrl, userId }) {
      const text = new TextEncoder();
      const salt = text.encode(`${homeUrl}\n${userId}`);
      return base64url(hkdf(sha256, await secretOf(), salt, text.encode(url), BYTES));
    },
  };
}
