import { ProblemError } from "@hearth/contracts";
import type { userRoutes } from "@hearth/contracts";
import { addressBlock } from "@hearth/runtime";
import type { Actor, Handlers } from "@hearth/runtime";
import type { Accounts } from "../domain/accounts/accounts.ts";
import type { Attempts } from "../domain/passwords/attempts.ts";
import type { DeviceTokens } from "../domain/sessions/device-tokens.ts";
import type { Registration } from "../domain/accounts/registration.ts";
import type { ResetPassword } from "../domain/accounts/resets.ts";
import { peopleHandlers } from "./people.ts";
import type { PeopleHandlersDeps } from "./people.ts";
import { refusedToken } from "../domain/sessions/sessions.ts";
import type { Client, Sessions } from "../domain/sessions/sessions.ts";

export interface UserHandlersDeps extends PeopleHandlersDeps {
  readonly accounts: Accounts;
  readonly registration: Registration;
  readonly resetPassword: ResetPassword;
  readonly sessions: Sessions;
  readonly deviceTokens: DeviceTokens;
  readonly attempts: Attempts;
}

type UserHandlers = Handlers<typeof userRoutes>;

interface Caller {
  readonly clientAddress: string;
  readonly userAgent: string | null;
}

const clientOf = (caller: Caller, deviceName: string | undefined): Client => ({
  address: caller.clientAddress,
  addressBlock: addressBlock(caller.clientAddress),
  userAgent: caller.userAgent,
  deviceName: deviceName ?? null,
});

/** AU1, AB11 */
function credentialHandlers(
  deps: UserHandlersDeps,
): Pick<UserHandlers, "registration" | "register" | "login" | "resetPassword"> {
  const { accounts, attempts, metrics } = deps;
  return {
    registration: async () => ({ mode: deps.registration.mode }),
    register: async ({ body, reportQuota, ...caller }) => {
      const client = clientOf(caller, body.deviceName);
      reportQuota(await attempts.countRequest(client.addressBlock));
      return accounts.register(body, client);
    },
    login: ({ body, reportQuota, ...caller }) => {
      const client = clientOf(caller, body.deviceName);
      const login = async () => {
        reportQuota(await attempts.countRequest(client.addressBlock));
        return accounts.login(body, client);
      };
      return metrics.countLogin(login());
    },
    resetPassword: async ({ body, reportQuota, ...caller }) => {
      const client = clientOf(caller, undefined);
      reportQuota(await attempts.countRequest(client.addressBlock));
      return deps.resetPassword(body.code, body.newPassword, client);
    },
  };
}

type RequireOwn = (actor: Actor, userId?: string) => Promise<string>;

/** AU1: the caller's own account. */
function accountHandlers(
  { accounts, metrics }: UserHandlersDeps,
  requireOwn: RequireOwn,
): Pick<UserHandlers, "me" | "updateMe" | "changePassword"> {
  return {
    me: async ({ actor }) => accounts.get(await requireOwn(actor)),
    updateMe: async ({ actor, body }) => accounts.rename(await requireOwn(actor), body.displayName),
    changePassword: async ({ actor, body: { currentPassword, newPassword }, clientAddress }) => {
      await requireOwn(actor);
      const block = addressBlock(clientAddress);
      await metrics.countLogin(accounts.changePassword(actor, currentPassword, newPassword, block));
    },
  };
}

/** AU1, AU5 */
function sessionHandlers(
  { accounts, sessions, metrics }: UserHandlersDeps,
  requireOwn: RequireOwn,
): Pick<UserHandlers, "logout" | "listSessions" | "endSession" | "endOtherSessions"> {
  return {
    logout: async ({ actor }) => {
      await requireOwn(actor);
      if (!(await sessions.end(actor.userId, actor.sessionId))) throw refusedToken("revoked");
    },
    listSessions: async ({ actor }) => {
      await requireOwn(actor);
      return sessions.list(actor);
    },
    endSession: async ({ actor, params }) => {
      if (!(await sessions.end(await requireOwn(actor), params.id.toLowerCase())))
        throw new ProblemError("NOT_FOUND");
    },
    endOtherSessions: async ({ actor, body, clientAddress }) => {
      await requireOwn(actor);
      const block = addressBlock(clientAddress);
      await metrics.countLogin(accounts.endOtherSessions(actor, body.currentPassword, block));
    },
  };
}

/** AU7 */
function deviceHandlers(
  { deviceTokens }: UserHandlersDeps,
  requireOwn: RequireOwn,
): Pick<UserHandlers, "listDeviceTokens" | "putDeviceToken" | "deleteDeviceToken"> {
  return {
    listDeviceTokens: async ({ actor, params }) => deviceTokens.list(await requireOwn(actor, params.userId)),
    putDeviceToken: async ({ actor, params, body }) => {
      await requireOwn(actor, params.userId);
      return deviceTokens.put(actor, params.deviceId, body);
    },
    deleteDeviceToken: async ({ actor, params }) => {
      await deviceTokens.remove(await requireOwn(actor, params.userId), params.deviceId);
    },
  };
}

export function createUserHandlers(deps: UserHandlersDeps): UserHandlers {
  /**
   * The actor's id, after a check that the session is still valid: an internal JWT may be a minute old (AU6).
   * AU7: another user's id in the path is 403.
   */
  const requireOwn: RequireOwn = async (actor, userId = actor.userId) => {
    await deps.sessions.requireLive(actor);
    if (userId.toLowerCase() !== actor.userId) throw new ProblemError("FORBIDDEN");
    return actor.userId;
  };
  return {
    ...credentialHandlers(deps),
    ...accountHandlers(deps, requireOwn),
    ...sessionHandlers(deps, requireOwn),
    ...deviceHandlers(deps, requireOwn),
    ...peopleHandlers(deps, requireOwn),
  };
}
