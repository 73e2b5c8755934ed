import { z } from "zod";
import { uuid } from "../text.ts";
import * as users from "../users.ts";
import { route } from "./route.ts";
import { created, noContent, ok } from "./success.ts";

const base = { owner: "auth", tag: "Accounts" } as const;
const sessions = { owner: "auth", tag: "Sessions", auth: "bearer" } as const;
const devices = { owner: "auth", tag: "Device tokens", auth: "bearer" } as const;
const ofUser = z.object({ userId: uuid });
const ofDevice = ofUser.extend({ deviceId: users.deviceId });

/** AU1, AU5, AU7: the routes of auth-service. */
export const userRoutes = {
  register: route({
    ...base,
    operationId: "register",
    method: "post",
    path: "/api/users/register",
    auth: "none",
    summary: "Create an account and its first session",
    body: users.registerBody,
    success: created("The new session", users.credentialSchema),
    errors: ["USERNAME_TAKEN"],
  }),
  login: route({
    ...base,
    operationId: "login",
    method: "post",
    path: "/api/users/login",
    auth: "none",
    summary: "Open a session",
    description: "Each login issues a new token; the earlier ones stay valid.",
    body: users.loginBody,
    success: ok("The new session", users.credentialSchema),
    errors: ["INVALID_CREDENTIALS"],
  }),
  logout: route({
    ...sessions,
    operationId: "logout",
    method: "post",
    path: "/api/users/logout",
    summary: "Revoke the presented token",
    success: noContent("Revoked; every connection of this session is closed"),
    errors: [],
  }),
  me: route({
    ...base,
    operationId: "getAccount",
    method: "get",
    path: "/api/users/me",
    auth: "bearer",
    summary: "The account of the presented token",
    success: ok("The account", users.accountSchema),
    errors: [],
  }),
  updateMe: route({
    ...base,
    operationId: "updateAccount",
    method: "patch",
    path: "/api/users/me",
    auth: "bearer",
    summary: "Change the display name",
    body: users.updateAccountBody,
    success: ok("The changed account", users.accountSchema),
    errors: ["CONFLICT"],
  }),
  changePassword: route({
    ...base,
    operationId: "changePassword",
    method: "post",
    path: "/api/users/password",
    auth: "bearer",
    summary: "Change the password and revoke the account's other sessions",
    body: users.changePasswordBody,
    success: noContent("Changed"),
    errors: ["INVALID_CREDENTIALS", "CONFLICT"],
  }),
  listSessions: route({
    ...sessions,
    operationId: "listSessions",
    method: "get",
    path: "/api/users/sessions",
    summary: "The account's sessions, the presented one first",
    success: ok("The sessions", z.array(users.sessionInfoSchema)),
    errors: [],
  }),
  endSession: route({
    ...sessions,
    operationId: "endSession",
    method: "delete",
    path: "/api/users/sessions/:id",
    summary: "Revoke one session of the account",
    params: z.object({ id: uuid }),
    success: noContent("Revoked"),
    errors: ["NOT_FOUND"],
  }),
  endOtherSessions: route({
    ...sessions,
    operationId: "endOtherSessions",
    method: "delete",
    path: "/api/users/sessions",
    summary: "Revoke every session of the account but the presented one",
    body: users.endSessionsBody,
    success: noContent("Revoked"),
    errors: ["INVALID_CREDENTIALS"],
  }),
  listDeviceTokens: route({
    ...devices,
    operationId: "listDeviceTokens",
    method: "get",
    path: "/api/users/device-tokens/:userId",
    summary: "The push tokens of the account's devices",
    params: ofUser,
    success: ok("The tokens", z.array(users.deviceTokenSchema)),
    errors: ["FORBIDDEN"],
  }),
  putDeviceToken: route({
    ...devices,
    operationId: "putDeviceToken",
    method: "put",
    path: "/api/users/device-tokens/:userId/:deviceId",
    summary: "Store the push token of one device",
    params: ofDevice,
    body: users.putDeviceTokenBody,
    success: ok("The stored token", users.deviceTokenSchema),
    errors: ["FORBIDDEN", "CONFLICT"],
  }),
  deleteDeviceToken: route({
    ...devices,
    operationId: "deleteDeviceToken",
    method: "delete",
    path: "/api/users/device-tokens/:userId/:deviceId",
    summary: "Forget the push token of one device",
    params: ofDevice,
    success: noContent("Forgotten"),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
} as const;
