import { ProblemError } from "@hearth/contracts";
import type { RegistrationMode } from "@hearth/contracts";
import { sha256Hex } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import type { InvitationStore } from "../operator-store.ts";

/** AB11: who may register. */
export interface Registration {
  readonly mode: RegistrationMode;
  /** Refuses with `REGISTRATION_CLOSED` and the reason, before any password is hashed. */
  check(invitation: string | undefined): Promise<void>;
  /** Takes a use of the invitation, and returns it if `register` fails. Refuses as `check` does. */
  admit<Result>(invitation: string | undefined, register: () => Promise<Result>): Promise<Result>;
}

const closed = (reason: "closed" | "invite_required" | "invite_invalid", message: string): ProblemError =>
  new ProblemError("REGISTRATION_CLOSED", message, { reason });

const invalid = (): ProblemError => closed("invite_invalid", "The invitation is not valid, or no longer");

export function createRegistration(
  mode: RegistrationMode,
  store: InvitationStore,
  clock: Clock,
): Registration {
  /** The hash of the invitation's code; null if registration is open. */
  const codeHashOf = (invitation: string | undefined): string | null => {
    if (mode === "open") return null;
    if (mode === "closed") throw closed("closed", "Nobody can register here");
    if (invitation === undefined) throw closed("invite_required", "Registering here needs an invitation");
    return sha256Hex(invitation);
  };

  return {
    mode,
    check: async (invitation) => {
      const codeHash = codeHashOf(invitation);
      if (codeHash !== null && !(await store.isInvitationUsable(codeHash, clock.now()))) throw invalid();
    },
    admit: async (invitation, register) => {
      const codeHash = codeHashOf(invitation);
      if (codeHash === null) return register();
      if (!(await store.takeInvitation(codeHash, clock.now()))) throw invalid();
      try {
        return await register();
      } catch (error) {
        await store.returnInvitation(codeHash);
        throw error;
      }
    },
  };
}
