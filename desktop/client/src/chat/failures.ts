import { z } from "zod";
import { ERRORS, isErrorCode } from "@hearth/contracts";
import type { DeviceMessage } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import { ClientProblem } from "@hearth/device";

/** Why messages were not sent: in memory for waiting messages, as meta records for failed ones. */
export interface Failures {
  of(message: DeviceMessage): Promise<ClientProblem | null>;
  /** Records why the message waits; `null` if nothing blocks it any more. */
  wait(messageId: string, problem: ClientProblem | null): void;
  keep(messageId: string, problem: ClientProblem): Promise<void>;
  forget(messageId: string): Promise<void>;
}

const keyOf = (messageId: string): string => `failure:${messageId}`;

const recordSchema = z.object({ code: z.string().refine(isErrorCode) });

function problemIn(value: string | undefined): ClientProblem | null {
  if (value === undefined) return null;
  try {
    const parsed = recordSchema.safeParse(JSON.parse(value));
    return parsed.success && isErrorCode(parsed.data.code) ? new ClientProblem(parsed.data.code) : null;
  } catch {
    return null;
  }
}

/**
 * True if a retry cannot help: the server understood the message and refused it. Everything else may pass, such as
 * being offline, signed out or not joined yet.
 */
export const isFinal = ({ code, retryable }: ClientProblem): boolean =>
  isErrorCode(code) && !retryable && !ERRORS[code].retryable && !PASSING.has(code);

const PASSING: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "AUTH_INVALID", "NOT_JOINED"]);

export function createFailures(store: Pick<ClientStore, "meta" | "setMeta" | "removeMeta">): Failures {
  const waiting = new Map<string, ClientProblem>();
  return {
    async of({ id, delivery }) {
      if (delivery === "failed") return problemIn(await store.meta(keyOf(id)));
      return waiting.get(id) ?? null;
    },
    wait(messageId, problem) {
      if (problem === null) waiting.delete(messageId);
      else waiting.set(messageId, problem);
    },
    async keep(messageId, { code }) {
      waiting.delete(messageId);
      await store.setMeta(keyOf(messageId), JSON.stringify({ code }));
    },
    async forget(messageId) {
      waiting.delete(messageId);
      await store.removeMeta(keyOf(messageId));
    },
  };
}
