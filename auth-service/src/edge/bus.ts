import { authSubjects, healthSubject } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { Bus, Clock, Subscription } from "@hearth/runtime";
import type { AuditStore } from "../domain/operator-store.ts";
import type { Blocks } from "../domain/people/blocks.ts";
import type { Sessions } from "../domain/sessions/sessions.ts";
import type { SigningKeys } from "../domain/sessions/signing-keys.ts";

export interface AuthBusDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly audit: AuditStore;
  readonly blocks: Blocks;
  readonly sessions: Sessions;
  readonly signingKeys: SigningKeys;
  readonly ready: () => boolean;
}

/** Answers the requests of the other services. */
export function connectBus({
  bus,
  clock,
  audit,
  blocks,
  sessions,
  signingKeys,
  ready,
}: AuthBusDeps): readonly Subscription[] {
  return [
    bus.answer(authSubjects.verify, ({ token, deviceName }) => sessions.verify(token, deviceName)),
    bus.answer(authSubjects.exchange, async ({ token }) => {
      const session = await sessions.verify(token);
      return { session, ...(await signingKeys.sign(session)) };
    }),
    bus.answer(authSubjects.keys, async () => ({ keys: await signingKeys.keySet() })),
    bus.answer(authSubjects.ended, async (asked) => ({ ended: await sessions.ended(asked.sessions) })),
    bus.answer(authSubjects.blocked, async ({ userId, otherUserId }) => ({
      blocked: await blocks.has(userId, otherUserId),
    })),
    bus.answer(authSubjects.audit, async (use) => {
      await audit.appendAudit({ id: newId(), at: clock.now(), ...use });
      return {};
    }),
    bus.answer(healthSubject("auth"), async () => ({ ready: ready() })),
  ];
}
