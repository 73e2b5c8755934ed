import { type DeviceInfo, LIMITS } from "@hearth/contracts";
import type { Connection } from "../transport/connection.ts";
import type { Frame } from "../transport/frame.ts";
import type { AccountBudget } from "./account-budgets.ts";
import { type Budgets, TokenBucket } from "./token-bucket.ts";

/** Who a connection proved to be (rule WS3). */
export interface Identity {
  readonly oderId: string;
  readonly sessionId: string;
  /** Epoch ms. */
  readonly sessionExpiresAt: number;
  readonly username: string;
  readonly displayName: string;
  readonly connectionScope: string | null;
  readonly clientInstanceId: string;
  /** False if the client sent no id, so that the server generated one. */
  readonly clientInstanceDeclared: boolean;
  readonly device: DeviceInfo;
}

/** Why a connection is not identified, and the answer to each message that it sends meanwhile (rules WS4, WS5). */
export interface Refusal {
  readonly kind: "auth_required" | "auth_error" | "trouble";
  readonly answer: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** WS12, AB5: which of a connection's budgets a message takes from. */
export type MessageBudget = "message" | "ephemeral" | "account_sync";

/** WS12: how often a connection may be refused for its rate before it is closed. */
const REFUSALS = { perSecond: 20, burst: 600 };
/** Every so many bytes of a refused message count as one more refusal. */
const REFUSED_BYTES = 32 * 1024;

/** The state of one connection, apart from its transport. */
export class ConnectionState {
  readonly connection: Connection;
  readonly openedAt: number;
  identity: Identity | null = null;
  /** The budget of its account, while it is identified. */
  account: AccountBudget | null = null;
  /** The user under whom the roster may hold this connection: set before it registers, cleared before it unregisters. */
  registeredAs: string | null = null;
  /** Work in progress for its messages; never rejects. */
  pendingWork: Promise<void> | null = null;
  /** Servers whose rooms this connection is in; `null` before the first join. */
  servers: Set<string> | null = null;
  /** The server being joined; cleared when the right to enter is lost meanwhile (rule DI7). */
  joining: string | null = null;
  refusal: Refusal | null = null;
  failures = 0;
  /** Frames that wait for the answer to identify. */
  private early: Frame[] | null = null;
  private arrived = 0;
  /** The number of `account_sync` messages relayed. */
  syncs = 0;
  /** The version of the account's voice in its `identified` message; 0 without voice. */
  voiceVersion = 0;
  /** Messages handled so far, the current one included. */
  handled = 0;
  /** Messages up to this one arrived before the last refusal, and do not count as failures. */
  private excusedUpTo = 0;
  private readonly budgets: Budgets;
  private readonly messages: TokenBucket;
  private bytes: TokenBucket | null = null;
  private ephemerals: TokenBucket | null = null;
  private refusals: TokenBucket | null = null;

  constructor(connection: Connection, now: number, budgets: Budgets = LIMITS.budgets) {
    this.budgets = budgets;
    this.connection = connection;
    this.openedAt = now;
    this.messages = new TokenBucket(LIMITS.messageRate, now);
  }

  /**
   * Sends a frame to this connection alone. Others can send to it as soon as it is registered; until it has received
   * `identified`, the frame waits (rule WS7).
   */
  send(frame: Frame): void {
    if (this.identity) this.connection.send(frame);
    else if (this.registeredAs !== null) (this.early ??= []).push(frame);
  }

  /** Notes the user as whom it is about to be registered, and drops early frames of another user. */
  registerAs(oderId: string): void {
    if (this.registeredAs !== oderId) this.early = null;
    this.registeredAs = oderId;
  }

  /** Sends the early frames. Call it right after the answer to identify. */
  sendEarly(): void {
    for (const frame of this.early ?? []) this.connection.send(frame);
    this.early = null;
  }

  /** Takes a message from the connection's and the account's budgets. Returns 0, or the milliseconds to wait. */
  takeBudget(budget: MessageBudget, bytes: number, now: number): number {
    const wait = this.takeRate(budget, now);
    if (wait > 0) return wait;
    if (budget === "account_sync" && this.account) return this.account.takeSync(bytes, now);
    this.bytes ??= new TokenBucket(this.budgets.connectionBytes, now);
    return this.bytes.take(now, bytes) || (this.account?.take(bytes, now) ?? 0);
  }

  /** WS12 */
  private takeRate(budget: MessageBudget, now: number): number {
    if (budget !== "ephemeral") return this.messages.take(now);
    this.ephemerals ??= new TokenBucket(LIMITS.ephemeralRate, now);
    return this.ephemerals.take(now);
  }

  /** Counts a refusal for rate. Returns true after too many of them: the connection should be closed. */
  isAbusive(now: number, bytes: number): boolean {
    this.refusals ??= new TokenBucket(REFUSALS, now);
    return this.refusals.take(now, 1 + Math.floor(bytes / REFUSED_BYTES)) > 0;
  }

  /** Adds work for one of its messages. The work must never reject. */
  await(work: Promise<void>): void {
    const before = this.pendingWork;
    const both = (before ? before.then(() => work) : work).then(() => {
      if (this.pendingWork === both) this.pendingWork = null;
    });
    this.pendingWork = both;
  }

  noteArrival(): void {
    this.arrived += 1;
  }

  /** WS4: messages that arrived before identify failed get the same answer, and do not count as failures. */
  excuseQueued(): void {
    this.excusedUpTo = this.arrived;
  }

  /** True if the current message arrived before the last refusal. */
  get excused(): boolean {
    return this.handled <= this.excusedUpTo;
  }

  /** Identified and open. Check it again after every await: both may end meanwhile. */
  get live(): boolean {
    return this.identity !== null && this.connection.open;
  }

  join(serverId: string): void {
    this.servers ??= new Set();
    this.servers.add(serverId);
  }

  isIn(serverId: string): boolean {
    return this.servers?.has(serverId) ?? false;
  }
}
