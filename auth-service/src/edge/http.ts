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

type Own = (actor: Actor, userId?: string) => Promise<string>;

/** AU1: the account of whoever asks. */
function accountHandlers(
  { accounts, metrics }: UserHandlersDeps,
  own: Own,
): Pick<UserHandlers, "me" | "updateMe" | "changePassword"> {
  return {
    me: async ({ actor }) => accounts.get(await own(actor)),
    updateMe: async ({ actor, body }) => accounts.rename(await own(actor), body.displayName),
    changePassword: async ({ actor, body: { currentPassword, newPassword }, clientAddress }) => {
      await own(actor);
      const block = addressBlock(clientAddress);
      await metrics.countLogin(accounts.changePassword(actor, currentPassword, newPassword, block));
    },
  };
}

/** AU1, AU5 */
function sessionHandlers(
  { accounts, sessions, metrics }: UserHandlersDeps,
  own: Own,
): Pick<UserHandlers, "logout" | "listSessions" | "endSession" | "endOtherSessions"> {
  return {
    logout: async ({ actor }) => {
      await own(actor);
      if (!(await sessions.end(actor.userId, actor.sessionId))) throw refusedToken("revoked");
    },
    listSessions: async ({ actor }) => {
      await own(actor);
      return sessions.list(actor);
    },
    endSession: async ({ actor, params }) => {
      if (!(await sessions.end(await own(actor), params.id.toLowerCase())))
        throw new ProblemError("NOT_FOUND");
    },
    endOtherSessions: async ({ actor, body, clientAddress }) => {
      await own(actor);
      const block = addressBlock(clientAddress);
      await metrics.countLogin(accounts.endOtherSessions(actor, body.currentPassword, block));
    },
  };
}

/** AU7 */
function deviceHandlers(
  { deviceTokens }: UserHandlersDeps,
  own: Own,
): Pick<UserHandlers, "listDeviceTokens" | "putDeviceToken" | "deleteDeviceToken"> {
  return {
    listDeviceTokens: async ({ actor, params }) => deviceTokens.list(await own(actor, params.userId)),
    putDeviceToken: async ({ actor, params, body }) => {
      await own(actor, params.userId);
      return deviceTokens.put(actor, params.deviceId, body);
    },
    deleteDeviceToken: async ({ actor, params }) => {
      await deviceTokens.remove(await own(actor, params.userId), params.deviceId);
    },
  };
}

export function createUserHandlers(deps: UserHandlersDeps): UserHandlers {
  /**
   * The actor's id, once it is certain that the session still lives: an internal JWT may be a minute old (AU6).
   * AU7: another user's id in the path is 403.
   */
  const own: Own = async (actor, userId = actor.userId) => {
    await deps.sessions.requireLive(actor);
    if (userId.toLowerCase() !== actor.userId) throw new ProblemError("FORBIDDEN");
    return actor.userId;
  };
  return {
    ...credentialHandlers(deps),
    ...accountHandlers(deps, own),
    ...sessionHandlers(deps, own),
    ...deviceHandlers(deps, own),
    ...peopleHandlers(deps, own),
  };
}
