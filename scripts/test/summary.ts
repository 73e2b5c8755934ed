import { compared } from "./history.ts";
import type { Times } from "./history.ts";
import { notRun, reasons } from "./not-run.ts";
import { logOf } from "./stages.ts";
import type { Outcome } from "./stages.ts";

const MAX_SLOWEST = 10;
const MAX_PROBLEMS = 20;

interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly outcome: Outcome;
}

/** The result of a run, and its summary on one screen. */
export class Summary {
  private readonly stages: Stage[] = [];
  private readonly started = performance.now();

  constructor(installSeconds: number) {
    this.add("install", installSeconds, { failed: 0 });
  }

  add(name: string, seconds: number, outcome: Outcome): void {
    this.stages.push({ name, seconds, outcome });
    if (name !== "install") console.log(`== ${name} ${seconds.toFixed(1)} s ${verdict(outcome)}`);
  }

  get failed(): number {
    return this.stages.reduce((sum, { outcome }) => sum + outcome.failed, 0);
  }

  get passedTitles(): readonly string[] {
    return this.files.flatMap(({ file }) => file.passedTitles);
  }

  get skippedTitles(): readonly string[] {
    return this.stages.flatMap(({ outcome }) => outcome.skippedTitles ?? []);
  }

  /** The titles of all passed tests. */
  get times(): Times {
    const good = this.stages.filter(({ outcome, seconds }) => outcome.failed === 0 && seconds > 0);
    const stages = good.map(({ name, seconds }) => [name, seconds] as const);
    const files = this.files.map(({ key, file }) => [key, file.seconds] as const);
    return Object.fromEntries([...stages, ...files]);
  }

  async print(last: Times, { isComplete }: { readonly isComplete: boolean }): Promise<void> {
    const total = (performance.now() - this.started) / 1_000;
    const stages = this.stages.map(
      ({ name, seconds, outcome }) => `${compared(name, seconds, last)}  ${name}: ${verdict(outcome)}`,
    );
    const slowest = this.files.toSorted((a, b) => b.file.seconds - a.file.seconds).slice(0, MAX_SLOWEST);
    section("stages, with the difference to the last run:", [
      ...stages,
      `${compared("", total, {})}  total; logs: ${logOf("*")}`,
    ]);
    section(
      "slowest files:",
      slowest.map(({ key, file }) => `${compared(key, file.seconds, last)}  ${key}`),
    );
    const ran = this.stages.map(({ name }) => name);
    const left = isComplete ? await notRun(ran, this.skippedTitles) : reasons(this.skippedTitles);
    section("not run:", [...this.stages.flatMap(({ outcome }) => outcome.notes ?? []), ...left]);
    const problems = this.stages.flatMap(({ name, outcome }) =>
      (outcome.problems ?? []).map((problem) => `${name}: ${problem}`),
    );
    const more = problems.length - MAX_PROBLEMS;
    section("failed:", [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])]);
    console.log(`\n${this.passedTitles.length} passed, ${this.failed} failed`);
  }

  private get files() {
    return this.stages.flatMap(({ name, outcome }) =>
      (outcome.files ?? []).map((file) => ({ key: `${name} ${file.name}`, file })),
    );
  }
}

const verdict = ({ failed }: Outcome): string => (failed === 0 ? "ok" : `FAILED ${failed}`);

function section(heading: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${heading}\n${lines.map((line) => `  ${line}`).join("\n")}`);
}
