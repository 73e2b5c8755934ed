import { REPORT_REASONS, blockSchema, epochMs } from "@hearth/contracts";
import type { Block, OwnedServers, SessionEndReason } from "@hearth/contracts";
import { z } from "zod";
import { text } from "./records.ts";
import type { ListedSession } from "./records.ts";

export const blockRecord = blockSchema.extend({ accountId: text });

export type BlockOutcome = "stored" | "exists" | "too_many";

/** AB12, DM4: whom an account has blocked. */
export interface BlockStore {
  /** The latest first. */
  listBlocks(accountId: string): Promise<readonly Block[]>;
  putBlock(accountId: string, userId: string, at: number, limit: number): Promise<BlockOutcome>;
  /** False when there was no such block. */
  deleteBlock(accountId: string, userId: string): Promise<boolean>;
  isBlocked(accountId: string, userId: string): Promise<boolean>;
}

/** AB12: a user's report to the operator. */
export const reportRecord = z.object({
  id: text,
  reporterId: text,
  userId: text,
  serverId: z.string().nullable(),
  messageId: z.string().nullable(),
  reason: z.enum(REPORT_REASONS),
  comment: z.string().nullable(),
  quotedText: z.string().nullable(),
  createdAt: epochMs,
  resolvedAt: epochMs.nullable(),
  /** The operator's note. */
  resolution: z.string().nullable(),
});
export type ReportRecord = Readonly<z.output<typeof reportRecord>>;

export interface ReportStore {
  addReport(report: ReportRecord): Promise<void>;
  /** Open ones, or all; the oldest first. */
  listReports(which: "open" | "all", limit: number): Promise<readonly ReportRecord[]>;
  /** The reports of this account; the oldest first. */
  reportsBy(accountId: string): Promise<readonly ReportRecord[]>;
  /** False when there is no such open report. */
  resolveReport(id: string, resolution: string | null, at: number): Promise<boolean>;
}

/** A deleted account, and what its owner chose for its servers. */
export interface Deletion {
  readonly userId: string;
  readonly ownedServers: OwnedServers;
  readonly deletedAt: number;
}

export interface DeletionStore {
  /**
   * AB12: revokes the sessions and removes everything but the reservation of the username, in one step. The deletion is
   * then due for its first announcement (`dueDeletions`). False when there is no such account.
   */
  deleteAccount(id: string, ownedServers: OwnedServers, at: number): Promise<boolean>;
  /** Deletions whose next announcement is due. */
  dueDeletions(now: number, limit: number): Promise<readonly Deletion[]>;
  /** Sets the time of the next announcement; null: no further one. */
  scheduleDeletion(userId: string, at: number | null): Promise<void>;
}

export const knownAddress = z.object({ addressBlock: text, lastLoginAt: epochMs });
export type KnownAddress = Readonly<z.output<typeof knownAddress>>;

/** A session of the account, including one that has ended and is still stored. */
export interface PastSession extends ListedSession {
  readonly endedAt: number | null;
  readonly endReason: SessionEndReason | null;
}

/** AB12: records that only the account's export shows. */
export interface TraceStore {
  listAddresses(accountId: string): Promise<readonly KnownAddress[]>;
  /** The oldest first. */
  listAllSessions(accountId: string): Promise<readonly PastSession[]>;
}

export interface PeopleStore extends BlockStore, ReportStore, DeletionStore, TraceStore {}
