import { authorship, completeness, echoesAndDuplicates, order, syncCompleteness } from "./delivery-checks.ts";
import { endedSessions, falseRefusals, openDoors, strangers, tuples } from "./identity-checks.ts";
import type { Entry } from "../ledger.ts";
import {
  badAnswers,
  deaths,
  ghosts,
  leaks,
  lostMutations,
  recovery,
  unsteadiness,
  voiceOwners,
} from "./service-checks.ts";
import { type Story, storyOf } from "./story.ts";
import type { Violation } from "./violation.ts";

const CHECKS: readonly ((story: Story) => readonly Violation[])[] = [
  lostMutations,
  badAnswers,
  unsteadiness,
  strangers,
  order,
  endedSessions,
  falseRefusals,
  tuples,
  voiceOwners,
  echoesAndDuplicates,
  completeness,
  syncCompleteness,
  authorship,
  deaths,
  leaks,
  openDoors,
  recovery,
  ghosts,
];

/** All violations in a ledger of invariants that clients can observe; asks no server. */
export const violationsIn = (entries: readonly Entry[]): readonly Violation[] => {
  const story = storyOf(entries);
  return CHECKS.flatMap((check) => check(story));
};
