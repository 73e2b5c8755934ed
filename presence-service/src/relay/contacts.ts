import { authSubjects } from "@hearth/contracts";
import { type Bus, type Clock, LRUCache } from "@hearth/runtime";
import type { Correspondence } from "../delivery/correspondence.ts";

const KEEP_MS = 60_000;
/** How long a fallback counts where a service did not answer. */
const TROUBLE_MS = 5_000;
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

/** WS10: whether two users share a server. Rejects with `UNAVAILABLE` or `TIMEOUT` when that is unknown. */
export interface SharedServersLookup {
  has(userId: string, otherUserId: string): Promise<boolean>;
}

const ONESELF: Contact = { blocked: false, stranger: false };

/**
 * Remembers for a minute who may write to whom. While discovery or auth does not answer, the last answer counts, and
 * without one the sender counts as known: chat must not stop with those services, and the receiving client applies
 * blocks too.
 */
export class Contacts {
  private readonly known = new LRUCache<string, Known>({ max: MAX_PAIRS });
  private readonly bus: Bus;
  private readonly clock: Clock;
  private readonly sharedServers: SharedServersLookup;
  private readonly correspondence: Correspondence;
  private blockChanges = 0;

  constructor(bus: Bus, clock: Clock, sharedServers: SharedServersLookup, correspondence: Correspondence) {
    this.bus = bus;
    this.clock = clock;
    this.sharedServers = sharedServers;
    this.correspondence = correspondence;
  }

  /** `undefined` where auth and discovery have to be asked. */
  recall(sender: string, addressee: string): Contact | undefined {
    if (sender === addressee) return ONESELF;
    const known = this.known.get(`${sender} ${addressee}`);
    return known && known.until > this.clock.now() ? this.contact(sender, addressee, known) : undefined;
  }

  /** Never rejects. */
  async ask(sender: string, addressee: string): Promise<Contact> {
    const key = `${sender} ${addressee}`;
    const before = this.known.get(key);
    const changes = this.blockChanges;
    const [shared, blocked] = await Promise.all([
      orNull(this.sharedServers.has(sender, addressee)),
      orNull(this.hasBlocked(addressee, sender)),
    ]);
    const isWhole = shared !== null && blocked !== null;
    const until = this.clock.now() + (isWhole ? KEEP_MS : TROUBLE_MS);
    const found = {
      shared: shared ?? before?.shared ?? true,
      blocked: blocked ?? before?.blocked ?? false,
      until,
    };
    // An answer from before a block changed serves this once and is not kept.
    if (changes === this.blockChanges) this.known.set(key, found);
    return this.contact(sender, addressee, found);
  }

  /** AB12: `userId` blocked `otherUserId`, or lifted the block. */
  noteBlock(userId: string, otherUserId: string): void {
    this.blockChanges += 1;
    this.known.delete(`${otherUserId} ${userId}`);
  }

  private contact(sender: string, addressee: string, { shared, blocked }: Known): Contact {
    return { blocked, stranger: !shared && !this.correspondence.hasWritten(addressee, sender) };
  }

  private async hasBlocked(userId: string, otherUserId: string): Promise<boolean> {
    return (await this.bus.request(authSubjects.blocked, { userId, otherUserId })).blocked;
  }
}

const orNull = (asked: Promise<boolean>): Promise<boolean | null> => asked.catch(() => null);
