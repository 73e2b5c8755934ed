import type { RegistrationMode } from "@hearth/contracts";
import { useState } from "react";
import type { SignIn } from "@hearth/client";
import { problemSentence } from "../strings/problem-sentence.ts";
import { issuesFrom, issuesOf, signInOf, waitUntil } from "./sign-in-input.ts";
import type { Mode, SignInDraft, SignInField, SignInIssues } from "./sign-in-input.ts";

export type SignInStart = Pick<SignInDraft, "server" | "username"> & {
  readonly invitation?: string;
  readonly registration?: RegistrationMode;
};

interface Outcome {
  readonly busy: boolean;
  readonly issues: SignInIssues;
  /** About the whole, where no field is to blame. */
  readonly sentence: string | undefined;
  /** Epoch ms until which the server takes no further try. */
  readonly until: number | null;
}

const NOTHING: Outcome = { busy: false, issues: {}, sentence: undefined, until: null };

/** A form to sign in with: what is typed, and what came of it. */
export function useSignIn(
  mode: Mode,
  { registration, ...initial }: SignInStart,
  enter: (signIn: SignIn) => Promise<void>,
) {
  const [draft, setDraft] = useState<SignInDraft>({
    ...{ invitation: "", ...initial },
    ...{ displayName: "", password: "" },
  });
  const [outcome, setOutcome] = useState(NOTHING);

  const type = (field: SignInField) => (value: string) => {
    setDraft((before) => ({ ...before, [field]: value }));
    setOutcome((before) => ({
      ...before,
      issues: { ...before.issues, [field]: undefined },
      sentence: undefined,
    }));
  };
  const submit = async (): Promise<void> => {
    if (outcome.busy || (outcome.until ?? 0) > Date.now()) return;
    const issues = issuesOf(mode, draft, registration);
    if (Object.keys(issues).length > 0) {
      setOutcome({ ...NOTHING, issues });
      return;
    }
    setOutcome({ ...NOTHING, busy: true });
    try {
      await enter(signInOf(mode, draft));
      setOutcome(NOTHING);
    } catch (error) {
      const found = issuesFrom(error);
      const isWhole = Object.keys(found).length === 0;
      const until = waitUntil(error, Date.now());
      setOutcome({
        busy: false,
        issues: found,
        sentence: isWhole ? problemSentence(error) : undefined,
        until,
      });
    }
  };
  return { draft, ...outcome, type, submit };
}
