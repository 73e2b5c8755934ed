/** The results of one repetition, by metric. */
export type Sample = Readonly<Record<string, number>>;

/** All results of a program: one sample per repetition for each work and server. */
export class Results {
  private readonly samples = new Map<string, Map<string, Sample[]>>();

  add(work: string, subject: string, sample: Sample): void {
    const subjects = this.samples.get(work) ?? new Map<string, Sample[]>();
    this.samples.set(work, subjects);
    const repetitions = subjects.get(subject) ?? [];
    subjects.set(subject, repetitions);
    repetitions.push(sample);
  }

  get works(): readonly string[] {
    return [...this.samples.keys()];
  }

  subjectsOf(work: string): readonly string[] {
    return [...(this.samples.get(work)?.keys() ?? [])];
  }

  /** A metric's value in every repetition; empty when not measured. */
  valuesOf(work: string, subject: string, metric: string): readonly number[] {
    const repetitions = this.samples.get(work)?.get(subject) ?? [];
    return repetitions.flatMap((sample) => sample[metric] ?? []);
  }

  toJSON(): unknown {
    return Object.fromEntries(
      [...this.samples].map(([work, subjects]) => [work, Object.fromEntries(subjects)]),
    );
  }
}
