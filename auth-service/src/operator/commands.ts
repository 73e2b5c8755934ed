import { OWNED_SERVERS, ProblemError, foldUsername } from "@hearth/contracts";
import type { OwnedServers } from "@hearth/contracts";
import { newId, randomToken, sha256Hex } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import type { AuthStore } from "../domain/store.ts";
import type { AccountRecord } from "../domain/records.ts";

export interface OperatorDeps {
  readonly store: AuthStore;
  readonly clock: Clock;
  /** The URL of the client, without a slash at its end. */
  readonly publicUrl: string;
  readonly actor: string;
  readonly say: (line: string) => void;
}

/** The words and options after the command's name. */
export interface CommandInput {
  readonly argument: string;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface OperatorCommand {
  /** The words and options it takes, for the usage message. */
  readonly usage: string;
  readonly about: string;
  readonly options?: readonly string[];
  /** Recorded before it runs, too. */
  readonly changes: boolean;
  /** Resolves with false if there is no such thing. Refuses with `INVALID_REQUEST`. */
  run(deps: OperatorDeps, input: CommandInput): Promise<boolean>;
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_LISTED = 50;
const MAX_USES = 1000;
const MAX_DAYS = 3650;

const moment = (at: number): string => new Date(at).toISOString();
/** Quotes text of users, so that it can neither control the terminal nor pass for another line. */
const quoted = (text: string | null): string => (text === null ? "-" : JSON.stringify(text));
const columns = (...values: readonly string[]): string => values.join("\t");

async function findAccount({ store }: OperatorDeps, argument: string): Promise<AccountRecord | null> {
  const account =
    (await store.findAccountByName(foldUsername(argument))) ??
    (await store.findAccount(argument.toLowerCase()));
  return account?.state === "deleted" ? null : account;
}

function wholeNumber(value: string | boolean | undefined, name: string, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new ProblemError("INVALID_REQUEST", `--${name} must be a whole number from 1 to ${max}`);
}

function ownedServersOf(value: string | boolean | undefined): OwnedServers {
  const known = OWNED_SERVERS.find((each) => each === value);
  if (known) return known;
  throw new ProblemError("INVALID_REQUEST", "Say --owned-servers transfer or --owned-servers delete");
}

const users: Readonly<Record<string, OperatorCommand>> = {
  "users find": {
    usage: "TEXT",
    about: "accounts with this text in their username, or the one with this id",
    changes: false,
    run: async ({ store, say }, { argument }) => {
      const found = await store.searchAccounts(foldUsername(argument), MAX_LISTED);
      for (const { id, state, createdAt, username, displayName } of found)
        say(columns(id, state, moment(createdAt), username, quoted(displayName)));
      return found.length > 0;
    },
  },
  "users suspend": {
    usage: "NAME-OR-ID",
    about: "end its sessions and let it log in no more",
    changes: true,
    run: async (deps, { argument }) => {
      const account = await findAccount(deps, argument);
      return account !== null && deps.store.suspendAccount(account.id, deps.clock.now());
    },
  },
  "users unsuspend": {
    usage: "NAME-OR-ID",
    about: "let it log in again",
    changes: true,
    run: async (deps, { argument }) => {
      const account = await findAccount(deps, argument);
      return account !== null && deps.store.unsuspendAccount(account.id);
    },
  },
  "users delete": {
    usage: "NAME-OR-ID --owned-servers transfer|delete",
    about: "delete it for good; its servers go to a moderator or member, or with it",
    options: ["owned-servers"],
    changes: true,
    run: async (deps, { argument, options }) => {
      const ownedServers = ownedServersOf(options["owned-servers"]);
      const account = await findAccount(deps, argument);
      return account !== null && deps.store.deleteAccount(account.id, ownedServers, deps.clock.now());
    },
  },
  "users reset-link": {
    usage: "NAME-OR-ID",
    about: "print a link that sets a new password, once, within 24 hours",
    changes: true,
    run: async (deps, { argument }) => {
      const account = await findAccount(deps, argument);
      if (account === null) return false;
      const code = randomToken();
      const createdAt = deps.clock.now();
      const times = { createdAt, expiresAt: createdAt + DAY_MS };
      await deps.store.putResetCode({ codeHash: sha256Hex(code), accountId: account.id, ...times });
      deps.say(`${deps.publicUrl}/reset?code=${code}`);
      return true;
    },
  },
};

const invitations: Readonly<Record<string, OperatorCommand>> = {
  "invitations create": {
    usage: "[--uses N] [--days N]",
    about: "print a code that lets one person register, or N, for ever or for N days",
    options: ["uses", "days"],
    changes: true,
    run: async ({ store, clock, actor, say }, { options }) => {
      const maxUses = wholeNumber(options["uses"], "uses", MAX_USES) ?? 1;
      const days = wholeNumber(options["days"], "days", MAX_DAYS);
      const code = randomToken();
      const createdAt = clock.now();
      const expiresAt = days === undefined ? null : createdAt + days * DAY_MS;
      const invitation = { id: newId(), codeHash: sha256Hex(code), maxUses, remaining: maxUses };
      await store.addInvitation({ ...invitation, createdAt, createdBy: actor, expiresAt, revokedAt: null });
      say(code);
      return true;
    },
  },
  "invitations list": {
    usage: "",
    about: "the latest invitations: id, made, uses left, state",
    changes: false,
    run: async ({ store, clock, say }) => {
      for (const invitation of await store.listInvitations(MAX_LISTED)) {
        const { id, createdAt, createdBy, remaining, maxUses, expiresAt, revokedAt } = invitation;
        const past = expiresAt !== null && expiresAt <= clock.now();
        const until = expiresAt === null ? "open" : past ? "expired" : `until ${moment(expiresAt)}`;
        const state = revokedAt !== null ? "revoked" : remaining === 0 ? "used" : until;
        say(columns(id, moment(createdAt), createdBy, `${remaining} of ${maxUses}`, state));
      }
      return true;
    },
  },
  "invitations revoke": {
    usage: "ID",
    about: "let nobody else in by it",
    changes: true,
    run: ({ store, clock }, { argument }) => store.revokeInvitation(argument, clock.now()),
  },
};

const records: Readonly<Record<string, OperatorCommand>> = {
  "reports list": {
    usage: "[--all]",
    about: "the oldest open reports, or all of them",
    options: ["all"],
    changes: false,
    run: async ({ store, say }, { options }) => {
      for (const report of await store.listReports(options["all"] === true ? "all" : "open", MAX_LISTED)) {
        const { id, createdAt, reason, reporterId, userId, serverId, messageId } = report;
        const state = report.resolvedAt === null ? "open" : `resolved ${moment(report.resolvedAt)}`;
        const about = [`of ${userId}`, `by ${reporterId}`, `server ${serverId ?? "-"}`];
        const texts = [quoted(messageId), quoted(report.comment), quoted(report.quotedText)];
        say(columns(id, moment(createdAt), state, reason, ...about, ...texts, quoted(report.resolution)));
      }
      return true;
    },
  },
  "reports resolve": {
    usage: "ID [--note TEXT]",
    about: "close a report",
    options: ["note"],
    changes: true,
    run: ({ store, clock }, { argument, options }) => {
      const note = typeof options["note"] === "string" ? options["note"] : null;
      return store.resolveReport(argument, note, clock.now());
    },
  },
  "audit list": {
    usage: "[--limit N]",
    about: "who used this command when, for what, on whom; the latest first",
    options: ["limit"],
    changes: false,
    run: async ({ store, say }, { options }) => {
      const limit = wholeNumber(options["limit"], "limit", 10_000) ?? MAX_LISTED;
      for (const { at, actor, action, target, outcome } of await store.listAudit(limit))
        say(columns(moment(at), actor, action, quoted(target), outcome));
      return true;
    },
  },
};

/** AB11 */
export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  ...users,
  ...invitations,
  ...records,
};
