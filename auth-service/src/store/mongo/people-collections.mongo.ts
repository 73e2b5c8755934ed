import { mongoFields, mongoSchema } from "@hearth/runtime/network";
import type { ReportRecord } from "../../domain/people-store.ts";

export interface BlockDocument {
  /** `<account id> <user id>` */
  readonly _id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAt: number;
}

export interface ReportDocument extends Omit<ReportRecord, "id"> {
  readonly _id: string;
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
