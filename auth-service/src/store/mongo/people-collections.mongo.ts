import type { REPORT_REASONS } from "@hearth/contracts";
import { mongoFields, mongoSchema } from "@hearth/runtime/network";

export interface BlockDocument {
  /** `<account id> <user id>` */
  readonly _id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAt: number;
}

export interface ReportDocument {
  readonly _id: string;
  readonly reporterId: string;
  readonly userId: string;
  readonly serverId: string | null;
  readonly messageId: string | null;
  readonly reason: (typeof REPORT_REASONS)[number];
  readonly comment: string | null;
  readonly quotedText: string | null;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
  readonly resolution: string | null;
}

const { text, number, textOrNull, numberOrNull } = mongoFields;

const blocks = mongoSchema<BlockDocument>("blocks", { accountId: text, userId: text, createdAt: number })
  .index({ accountId: 1, createdAt: -1 })
  .index({ userId: 1 });

const reports = mongoSchema<ReportDocument>("reports", {
  reporterId: text,
  userId: text,
  serverId: textOrNull,
  messageId: textOrNull,
  reason: text,
  comment: textOrNull,
  quotedText: textOrNull,
  createdAt: number,
  resolvedAt: numberOrNull,
  resolution: textOrNull,
})
  .index({ reporterId: 1 })
  .index({ resolvedAt: 1, createdAt: 1 });

export const peopleSchemas = { blocks, reports };
