import { z } from "zod";
import * as plugins from "../plugins.ts";
import * as servers from "../servers.ts";
import { uuid } from "../text.ts";
import { route } from "./route.ts";
import { created, noContent, ok } from "./success.ts";

const find = { owner: "discovery", tag: "Discovery", method: "get" } as const;
const manage = { owner: "discovery", tag: "Servers", auth: "bearer" } as const;
const ofServer = z.object({ id: uuid });
const ofMember = ofServer.extend({ userId: uuid });

/** DI3: bans and invites. */
export const moderationRoutes = {
  listBans: route({
    ...manage,
    tag: "Moderation",
    operationId: "listBans",
    method: "get",
    path: "/api/servers/:id/bans",
    summary: "The bans in force, for the owner and moderators",
    params: ofServer,
    query: servers.pageQuery,
    success: ok("A page of bans", servers.pageOf(servers.banSchema)),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
  ban: route({
    ...manage,
    tag: "Moderation",
    operationId: "banUser",
    method: "put",
    path: "/api/servers/:id/bans/:userId",
    summary: "Ban a user, member or not",
    params: ofMember,
    body: servers.banBody,
    success: ok("The ban", servers.banSchema),
    errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  }),
  unban: route({
    ...manage,
    tag: "Moderation",
    operationId: "unbanUser",
    method: "delete",
    path: "/api/servers/:id/bans/:userId",
    summary: "Lift a ban",
    params: ofMember,
    success: noContent("Lifted"),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
  createInvite: route({
    ...manage,
    tag: "Invites",
    operationId: "createInvite",
    method: "post",
    path: "/api/servers/:id/invites",
    summary: "Create an invite; members of a public or unlisted server, else the owner and moderators",
    params: ofServer,
    body: servers.createInviteBody,
    success: created("The invite", servers.inviteSchema),
    errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  }),
  listInvites: route({
    ...manage,
    tag: "Invites",
    operationId: "listInvites",
    method: "get",
    path: "/api/servers/:id/invites",
    summary: "The invites that can be used, newest first, for the owner and moderators",
    params: ofServer,
    query: servers.pageQuery,
    success: ok("A page of invites", servers.pageOf(servers.inviteSchema)),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
  getInvite: route({
    ...find,
    tag: "Invites",
    operationId: "getInvite",
    path: "/api/invites/:code",
    auth: "none",
    summary: "What an invite leads to",
    params: z.object({ code: servers.inviteCode }),
    success: ok("The invite", servers.invitePreviewSchema),
    errors: ["NOT_FOUND"],
  }),
  deleteInvite: route({
    ...manage,
    tag: "Invites",
    operationId: "deleteInvite",
    method: "delete",
    path: "/api/invites/:code",
    summary: "Withdraw an invite; its maker, the owner and moderators",
    params: z.object({ code: servers.inviteCode }),
    success: noContent("Withdrawn"),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
} as const;

/** DI4: asking to enter a private server. */
export const requestRoutes = {
  createRequest: route({
    ...manage,
    tag: "Access requests",
    operationId: "createRequest",
    method: "post",
    path: "/api/servers/:id/requests",
    summary: "Ask to enter a private server",
    params: ofServer,
    body: servers.createRequestBody,
    success: created("The request", servers.accessRequestSchema),
    errors: ["BANNED", "CONFLICT", "NOT_FOUND"],
  }),
  listRequests: route({
    ...manage,
    tag: "Access requests",
    operationId: "listRequests",
    method: "get",
    path: "/api/servers/:id/requests",
    summary: "The pending requests, for the owner and moderators",
    params: ofServer,
    query: servers.pageQuery,
    success: ok("A page of requests", servers.pageOf(servers.accessRequestSchema)),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
  decideRequest: route({
    ...manage,
    tag: "Access requests",
    operationId: "decideRequest",
    method: "put",
    path: "/api/requests/:id",
    summary: "Approve or reject a request; once",
    params: ofServer,
    body: servers.decideRequestBody,
    success: ok("The decided request", servers.accessRequestSchema),
    errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT"],
  }),
} as const;

const ofPlugin = ofServer.extend({ pluginId: plugins.pluginId });

/** DI5: plugin support of a server. */
export const pluginRoutes = {
  listPlugins: route({
    ...find,
    tag: "Plugins",
    operationId: "listPlugins",
    path: "/api/servers/:id/plugins",
    auth: "optional",
    summary: "The plugins a server asks for",
    params: ofServer,
    success: ok("The plugins", z.array(plugins.pluginSupportSchema)),
    errors: ["NOT_FOUND"],
  }),
  putPlugin: route({
    ...manage,
    tag: "Plugins",
    operationId: "putPlugin",
    method: "put",
    path: "/api/servers/:id/plugins/:pluginId",
    summary: "Ask for a plugin; the owner and moderators",
    params: ofPlugin,
    body: plugins.putPluginBody,
    success: ok("The plugin", plugins.pluginSupportSchema),
    errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT"],
  }),
  deletePlugin: route({
    ...manage,
    tag: "Plugins",
    operationId: "deletePlugin",
    method: "delete",
    path: "/api/servers/:id/plugins/:pluginId",
    summary: "Stop asking for a plugin; the owner and moderators",
    params: ofPlugin,
    success: noContent("Removed"),
    errors: ["FORBIDDEN", "NOT_FOUND"],
  }),
} as const;
