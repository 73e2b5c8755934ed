import { MAX_REPORTS_PER_DAY, ProblemError } from "@hearth/contracts";
import type { Quota, reportBody } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { Clock, LimiterFactory } from "@hearth/runtime";
import type { z } from "zod";
import type { AccountStore } from "../store.ts";
import { requireUser } from "./blocks.ts";
import type { ReportStore } from "../people-store.ts";

export type ReportBody = z.output<typeof reportBody>;

/** AB12: reports of users to the operator. */
export interface Reports {
  /** Refuses with `NOT_FOUND` and, past {@link MAX_REPORTS_PER_DAY}, `RATE_LIMITED`. */
  add(accountId: string, body: ReportBody): Promise<Quota>;
}

export interface ReportsDeps {
  readonly store: ReportStore & AccountStore;
  readonly limiters: LimiterFactory;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60_000;

export function createReports({ store, limiters, clock }: ReportsDeps): Reports {
  const daily = limiters({ name: "reports", points: MAX_REPORTS_PER_DAY, windowMs: DAY_MS });
  return {
    add: async (reporterId, body) => {
      if (body.userId.toLowerCase() === reporterId)
        throw new ProblemError("INVALID_REQUEST", "Nobody can report themselves");
      await requireUser(store, body.userId.toLowerCase());
      const quota = await daily.consume(reporterId);
      await store.addReport({
        id: newId(),
        reporterId,
        userId: body.userId.toLowerCase(),
        serverId: body.serverId?.toLowerCase() ?? null,
        messageId: body.messageId ?? null,
        reason: body.reason,
        comment: body.comment ?? null,
        quotedText: body.quotedText ?? null,
        createdAt: clock.now(),
        resolvedAt: null,
        resolution: null,
      });
      return quota;
    },
  };
}
