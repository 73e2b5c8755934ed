import type { Goal } from "../figures/goals.ts";
import type { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import type { Cores } from "../machine/cores.ts";

/** The options of a program. */
export interface Run {
  readonly cores: Cores;
  /** The only part to measure, if set. */
  readonly part: string | undefined;
  /** A smoke run: does and verifies everything, but too briefly for meaningful figures. */
  readonly quick: boolean;
  readonly repetitions: number;
  /** Reports progress. */
  progress(text: string): void;
}

export interface Outcome {
  readonly results: Results;
  /** Notes on the figures. */
  readonly notes: readonly string[];
}

/** A load program: measures, and throws instead of returning figures when work was not done. */
export interface Program {
  readonly name: string;
  readonly summary: string;
  /** Parts that can be measured alone. */
  readonly parts?: readonly string[];
  readonly columns: readonly Column[];
  readonly goals: readonly Goal[];
  run(run: Run): Promise<Outcome>;
}
