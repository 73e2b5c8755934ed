import type { Goal } from "../figures/goals.ts";
import { OURS } from "./names.ts";

export const LIMITS = [100, 500] as const;
export const BARE = "bare node:sqlite";

export const WHERE = {
  first: "first",
  tenth: "10 % in",
  deep: "90 % in",
  next: "next link, 90 % in",
} as const;

export const workOf = (limit: number, where: string): string => `page of ${limit}, ${where}`;

const metric = "cpuPerItem";

function goalsOf(size: number): Goal[] {
  const first = workOf(size, WHERE.first);
  const beside = (where: string, limit: number): Goal => ({
    title: `CPU of a ${workOf(size, where)}`,
    work: workOf(size, where),
    subject: OURS.rest,
    against: OURS.rest,
    againstWork: first,
    metric,
    kind: "at most",
    limit,
  });
  return [
    {
      title: `CPU of a ${first}`,
      work: first,
      subject: OURS.rest,
      against: BARE,
      metric,
      kind: "at most",
      limit: 1.5,
    },
    beside(WHERE.tenth, 2),
    beside(WHERE.deep, 2),
    beside(WHERE.next, 1.1),
  ];
}

export const localApiGoals: readonly Goal[] = LIMITS.flatMap(goalsOf);
