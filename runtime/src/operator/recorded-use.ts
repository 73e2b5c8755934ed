/** What the audit log says about a use of the operator's command. */
export type UseOutcome = "begun" | "done" | "not done" | "failed";

export interface RecordedUse {
  /** Writes one entry of the audit log. */
  readonly append: (outcome: UseOutcome) => Promise<unknown>;
  /** A use that changes something is also recorded before it runs, in case its process dies. */
  readonly changes: boolean;
}

/** The longest target of an entry of the audit log. */
export const MAX_AUDIT_TARGET = 200;

/**
 * AB11: runs an operator's command, which resolves with its exit code, and records how it came out. Runs nothing that
 * changes something while the log cannot be written.
 */
export async function recordUse(
  { append, changes }: RecordedUse,
  run: () => Promise<number>,
): Promise<number> {
  if (changes) await append("begun");
  const code = await run().catch(async (error: unknown) => {
    await append("failed");
    throw error;
  });
  await append(code === 0 ? "done" : "not done");
  return code;
}
