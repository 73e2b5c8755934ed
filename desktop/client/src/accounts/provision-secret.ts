import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";

const NAME = "provision-secret";
const BYTES = 32;
/** How long to wait for other tabs. */
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

/** The secret of this install, from which the passwords of foreign accounts are derived (rule CL1). */
export interface ProvisionSecret {
  /** Creates and stores a secret if there is none. */
  ensure(): Promise<void>;
  /** Stores the secret of another tab, if there is one, so that it outlives that tab. */
  adopt(): Promise<void>;
  /**
   * The password for one instance; it reveals nothing about others. Another user on the same device gets other
   * passwords, and a new address of home changes none.
   */
  passwordFor(url: string, homeUserId: string): Promise<string>;
}

type Deps = Pick<Platform, "secrets" | "randomBytes" | "tabs" | "later" | "newId">;

const WANTED = "provision-secret-wanted";
const GIVEN = "provision-secret-given";

interface TabMessage {
  readonly type: typeof WANTED | typeof GIVEN;
  readonly ask: string;
  readonly secret?: string;
}

const isTabMessage = (message: unknown): message is TabMessage =>
  typeof message === "object" && message !== null && "type" in message && "ask" in message;

/** Session storage belongs to one tab, so a new tab asks the open tabs of this browser. */
function askTabs({ tabs, later, newId }: Deps): Promise<string | null> {
  const requestId = newId();
  return new Promise((resolve) => {
    const finish = (secret: string | null): void => {
      stop();
      calledOff();
      resolve(secret);
    };
    const stop = tabs.onMessage((message) => {
      if (isTabMessage(message) && message.type === GIVEN && message.ask === requestId)
        finish(message.secret ?? null);
    });
    const calledOff = later(ASKED_MS, () => finish(null));
    tabs.post({ type: WANTED, ask: requestId } satisfies TabMessage);
  });
}

export function createProvisionSecret(deps: Deps): ProvisionSecret {
  const { secrets, tabs, randomBytes } = deps;
  let making: Promise<Uint8Array> | null = null;

  const keep = async (secret: Uint8Array): Promise<Uint8Array> => {
    await secrets.set(NAME, base64url(secret));
    return secret;
  };
  const known = async (): Promise<Uint8Array | null> => {
    const stored = bytesOf(await secrets.get(NAME));
    if (stored !== null) return stored;
    const shared = bytesOf(await askTabs(deps));
    return shared === null ? null : keep(shared);
  };
  const find = async (): Promise<Uint8Array> => (await known()) ?? keep(randomBytes(BYTES));
  const secretOf = (): Promise<Uint8Array> => {
    making ??= find()
      .catch((error: unknown) => {
        const message = "This device cannot keep a secret at the moment";
        throw new ClientProblem("STORAGE_FAILED", { message, retryable: true }, error);
      })
      .finally(() => (making = null));
    return making;
  };
  tabs.onMessage((message) => {
    if (!isTabMessage(message) || message.type !== WANTED) return;
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
    async adopt() {
      await known();
    },
    async passwordFor(url, homeUserId) {
      const text = new TextEncoder();
      return base64url(hkdf(sha256, await secretOf(), text.encode(homeUserId), text.encode(url), BYTES));
    },
  };
}
