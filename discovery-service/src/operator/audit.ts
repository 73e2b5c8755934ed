import { authSubjects } from "@hearth/contracts";
import type { Bus } from "@hearth/runtime";

export interface AuditedUse {
  readonly bus: Pick<Bus, "request">;
  /** The user of the operating system. */
  readonly actor: string;
  /** The command's name and its argument. */
  readonly argv: readonly string[];
}

const MAX_TARGET = 200;

/**
 * AB11: has auth record a use of the command before it is done and afterwards. Where the log cannot be written it rejects, and
 * nothing is done.
 */
export async function audited({ bus, actor, argv }: AuditedUse, run: () => Promise<number>): Promise<number> {
  const [name = "", argument = ""] = argv;
  const use = { actor, action: `servers ${name}`, target: argument.slice(0, MAX_TARGET) };
  const append = (outcome: "begun" | "done" | "not done" | "failed") =>
    bus.request(authSubjects.audit, { ...use, outcome });
  await append("begun");
  const code = await run().catch(async (error: unknown) => {
    await append("failed");
    throw error;
  });
  await append(code === 0 ? "done" : "not done");
  return code;
}
