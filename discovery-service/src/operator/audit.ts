import { authSubjects } from "@hearth/contracts";
import { MAX_AUDIT_TARGET, recordUse } from "@hearth/runtime";
import type { Bus, UseOutcome } from "@hearth/runtime";

export interface AuditedUse {
  readonly bus: Pick<Bus, "request">;
  /** The user of the operating system. */
  readonly actor: string;
  /** The command's name and its argument. */
  readonly argv: readonly string[];
}

/** AB11: runs a command that auth records in its audit log, before it runs and afterwards. */
export function audited({ bus, actor, argv }: AuditedUse, run: () => Promise<number>): Promise<number> {
  const [name = "", argument = ""] = argv;
  const use = { actor, action: `servers ${name}`, target: argument.slice(0, MAX_AUDIT_TARGET) };
  const append = (outcome: UseOutcome) => bus.request(authSubjects.audit, { ...use, outcome });
  return recordUse({ append, changes: true }, run);
}
