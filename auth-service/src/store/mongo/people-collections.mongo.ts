import { mongoFieldsOf, mongoSchema } from "@hearth/runtime/network";
import type { MongoDocument } from "@hearth/runtime/network";
import type { z } from "zod";
import { blockRecord, reportRecord } from "../../domain/people-store.ts";
import type { ReportRecord } from "../../domain/people-store.ts";

/** `_id` is `<account id> <user id>`. */
export type BlockDocument = MongoDocument<z.output<typeof blockRecord>>;
export type ReportDocument = MongoDocument<ReportRecord, "id">;

const blocks = mongoSchema<BlockDocument>("blocks", mongoFieldsOf(blockRecord))
  .index({ accountId: 1, createdAt: -1 })
  .index({ userId: 1 });

const reports = mongoSchema<ReportDocument>("reports", mongoFieldsOf(reportRecord.omit({ id: true })))
  .index({ reporterId: 1 })
  .index({ resolvedAt: 1, createdAt: 1 });

export const peopleSchemas = { blocks, reports };
