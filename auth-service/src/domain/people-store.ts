import type { Block, OwnedServers, REPORT_REASONS, SessionEndReason } from "@hearth/contracts";
import type { ListedSession } from "./records.ts";

export type BlockOutcome = "stored" | "there" | "too_many";

/** AB12, DM4: whom an account has blocked. */
export interface BlockStore {
  /** The latest first. */
  listBlocks(accountId: string): Promise<readonly Block[]>;
  putBlock(accountId: string, userId: string, at: number, limit: number): Promise<BlockOutcome>;
  /** False when there was no such block. */
  deleteBlock(accountId: string, userId: string): Promise<boolean>;
  isBlocked(accountId: string, userId: string): Promise<boolean>;
}

/** AB12: what somebody reported to the operator. */
export interface ReportRecord {
  readonly id: string;
  readonly reporterId: string;
  readonly userId: string;
  readonly serverId: string | null;
  readonly messageId: string | null;
  readonly reason: (typeof REPORT_REASONS)[number];
  readonly comment: string | null;
  readonly quotedText: string | null;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
  /** What the operator noted about it. */
  readonly resolution: string | null;
}

export interface ReportStore {
  addReport(report: ReportRecord): Promise<void>;
  /** Open ones, or all; the oldest first. */
  listReports(which: "open" | "all", limit: number): Promise<readonly ReportRecord[]>;
  /** What this account reported; the oldest first. */
  reportsBy(accountId: string): Promise<readonly ReportRecord[]>;
  /** False when there is no such open report. */
  resolveReport(id: string, resolution: string | null, at: number): Promise<boolean>;
}

/** An account that is gone, and how its servers were to be treated. */
export interface Deletion {
  readonly userId: string;
  readonly ownedServers: OwnedServers;
  readonly deletedAt: number;
}

export interface DeletionStore {
  /**
   * AB12: revokes the sessions and removes everything but the reservation of the username, in one step. The other
   * services are to be told at once (`deletionsToTell`). False when there is no such account.
   */
  deleteAccount(id: string, ownedServers: OwnedServers, at: number): Promise<boolean>;
  /** Deletions whose next announcement is due. */
  deletionsToTell(now: number, limit: number): Promise<readonly Deletion[]>;
  /** When a deletion is to be announced next; null: no more. */
  tellDeletionAt(userId: string, at: number | null): Promise<void>;
}

export interface KnownAddress {
  readonly addressBlock: string;
  readonly lastLoginAt: number;
}

/** A session of the account, also one that has ended and is not forgotten yet. */
export interface PastSession extends ListedSession {
  readonly endedAt: number | null;
  readonly endReason: SessionEndReason | null;
}

/** AB12: what only the account's export shows. */
export interface TraceStore {
  listAddresses(accountId: string): Promise<readonly KnownAddress[]>;
  /** The oldest first. */
  listAllSessions(accountId: string): Promise<readonly PastSession[]>;
}

export interface PeopleStore extends BlockStore, ReportStore, DeletionStore, TraceStore {}
