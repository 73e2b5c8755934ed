import { authSubjects } from "@hearth/contracts";
import { type Bus, type Clock, LRUCache } from "@hearth/runtime";
import type { Correspondence } from "../delivery/correspondence.ts";

const KEEP_MS = 60_000;
/** How long a fallback counts after a service did not answer. */
const FALLBACK_MS = 5_000;
const MAX_PAIRS = 10_000;

/** AB6, AB12: how a sender relates to an addressee. */
export interface Contact {
  /** The addressee has blocked the sender. */
  readonly blocked: boolean;
  /** They share no server, and the addressee has not written to the sender lately. */
  readonly stranger: boolean;
}

interface Known {
  readonly shared: boolean;
  readonly blocked: boolean;
  readonly until: number;
}

/** WS10: whether two users share a server. Rejects with `UNAVAILABLE` or `TIMEOUT` if discovery does not answer. */
export interface SharedServersLookup {
  has(userId: string, otherUserId: string): Promise<boolean>;
}

export interface ContactsDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly sharedServers: SharedServersLookup;
  readonly correspondence: Correspondence;
}

const ONESELF: Contact = { blocked: false, stranger: false };

/**
 * Remembers for a minute who may write to whom. While discovery or auth does not answer, the last answer counts; without
 * one, the sender counts as known. Chat must not stop with those services, and the receiving client applies blocks too.
 */
export type Contacts = ReturnType<typeof createContacts>;

export const createContacts = ({ bus, clock, sharedServers, correspondence }: ContactsDeps) => {
  const pairs = new LRUCache<string, Known>({ max: MAX_PAIRS });
  let blockChanges = 0;

  const contactOf = (sender: string, addressee: string, { shared, blocked }: Known): Contact => ({
    blocked,
    stranger: !shared && !correspondence.hasWritten(addressee, sender),
  });

  const hasBlocked = async (userId: string, otherUserId: string): Promise<boolean> =>
    (await bus.request(authSubjects.blocked, { userId, otherUserId })).blocked;

  return {
    /** Returns `undefined` if auth and discovery have to be asked. */
    recall(sender: string, addressee: string): Contact | undefined {
      if (sender === addressee) return ONESELF;
      const known = pairs.get(`${sender} ${addressee}`);
      return known && known.until > clock.now() ? contactOf(sender, addressee, known) : undefined;
    },

    /** Asks auth and discovery. Never rejects. */
    async ask(sender: string, addressee: string): Promise<Contact> {
      const key = `${sender} ${addressee}`;
      const before = pairs.get(key);
      const changes = blockChanges;
      const [shared, blocked] = await Promise.all([
        orNull(sharedServers.has(sender, addressee)),
        orNull(hasBlocked(addressee, sender)),
      ]);
      const isComplete = shared !== null && blocked !== null;
      const known = {
        shared: shared ?? before?.shared ?? true,
        blocked: blocked ?? before?.blocked ?? false,
        until: clock.now() + (isComplete ? KEEP_MS : FALLBACK_MS),
      };
      // A block may have changed meanwhile: then the answer serves only this call.
      if (changes === blockChanges) pairs.set(key, known);
      return contactOf(sender, addressee, known);
    },

    /** AB12: `userId` has blocked `otherUserId`, or lifted the block. */
    noteBlock(userId: string, otherUserId: string): void {
      blockChanges += 1;
      pairs.delete(`${otherUserId} ${userId}`);
    },
  };
};

const orNull = (answer: Promise<boolean>): Promise<boolean | null> => answer.catch(() => null);
