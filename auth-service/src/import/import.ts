import { displayName, epochMs, foldUsername, username, uuid } from "@hearth/contracts";
import { inputIssues, newId } from "@hearth/runtime";
import { z } from "zod";
import type { FileRow } from "./import-file.ts";
import { parsePasswordHash } from "../domain/passwords/password-format.ts";
import type { AccountStore } from "../domain/store.ts";
import type { AccountRecord } from "../domain/records.ts";

/** AU9: an account in the format of an older deployment. */
const importedAccount = z.strictObject({
  id: uuid.transform((id) => id.toLowerCase()).optional(),
  username,
  displayName: displayName.optional(),
  passwordHash: z.string().refine((text) => parsePasswordHash(text) !== null, "is of no known format"),
  createdAt: epochMs.optional(),
});

/** A problem of a row. It never contains the value, which may be a password's hash. */
export interface RowIssue {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

export interface ImportReport {
  readonly imported: number;
  readonly issues: readonly RowIssue[];
}

interface Candidate {
  readonly line: number;
  readonly account: AccountRecord;
}

interface Review {
  readonly candidates: readonly Candidate[];
  readonly issues: readonly RowIssue[];
}

const accountOf = (row: z.output<typeof importedAccount>, now: number): AccountRecord => ({
  id: row.id ?? newId(),
  username: row.username,
  foldedName: foldUsername(row.username),
  displayName: row.displayName ?? row.username,
  passwordHash: row.passwordHash,
  createdAt: row.createdAt ?? now,
  version: 1,
  state: "active",
});

/** Checks every row before any is imported. Among rows with the same name or id, the first one is valid. */
function review(rows: readonly FileRow[], now: number): Review {
  const candidates: Candidate[] = [];
  const issues: RowIssue[] = [];
  const lineOf = { username: new Map<string, number>(), id: new Map<string, number>() };

  const claim = (field: "username" | "id", value: string, line: number): boolean => {
    const first = lineOf[field].get(value);
    if (first === undefined) lineOf[field].set(value, line);
    else issues.push({ line, field, message: `is the same as on line ${first}` });
    return first === undefined;
  };

  for (const { line, value } of rows) {
    const parsed = importedAccount.safeParse(value);
    if (!parsed.success) {
      for (const { path, message } of inputIssues(parsed.error)) issues.push({ line, field: path, message });
      continue;
    }
    const account = accountOf(parsed.data, now);
    const nameIsFirst = claim("username", account.foldedName, line);
    if (claim("id", account.id, line) && nameIsFirst) candidates.push({ line, account });
  }
  return { candidates, issues };
}

/**
 * AU9: imports all rows or, if one is invalid, none; with `skipInvalid` all but the invalid ones. Never changes an account
 * that is already in the store.
 */
export async function importAccounts(
  store: AccountStore,
  rows: readonly FileRow[],
  { skipInvalid, now }: { readonly skipInvalid: boolean; readonly now: number },
): Promise<ImportReport> {
  const { candidates, issues } = review(rows, now);
  const accounts = candidates.map(({ account }) => account);
  const dryRun = issues.length > 0 && !skipInvalid;
  const { imported, taken } = await store.importAccounts(
    accounts,
    dryRun ? "none" : skipInvalid ? "free" : "all",
  );
  const collisions = taken.map(({ index, field }) => ({
    line: candidates[index]?.line ?? 0,
    field,
    message: "is taken by an account of this server",
  }));
  return { imported, issues: [...issues, ...collisions].sort((a, b) => a.line - b.line) };
}
