import type { Goal } from "../figures/goals.ts";
import type { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import type { Cores } from "../machine/cores.ts";

/** What a program is told. */
export interface Run {
  readonly cores: Cores;
  /** One of the program's parts, where only that is measured. */
  readonly part: string | undefined;
  /** A smoke run: everything is done and verified, but too briefly for the figures to mean much. */
  readonly quick: boolean;
  readonly repetitions: number;
  /** Says what is being done, for whoever waits. */
  progress(text: string): void;
}

export interface Outcome {
  readonly results: Results;
  /** What the figures are, beyond what their titles say. */
  readonly notes: readonly string[];
}

/** A load program: measures, and refuses to return figures of work that was not done. */
export interface Program {
  readonly name: string;
  readonly summary: string;
  /** What can be measured alone. */
  readonly parts?: readonly string[];
  readonly columns: readonly Column[];
  readonly goals: readonly Goal[];
  run(run: Run): Promise<Outcome>;
}
