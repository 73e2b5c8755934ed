/* tslint:disable */
/* eslint-disable */
// WARNING: This file was auto-generated with tsoa. Please do not modify it. Re-run tsoa to re-generate this file: https://github.com/lukeautry/tsoa
import type { TsoaRoute } from "@tsoa/runtime";
import { fetchMiddlewares, ExpressTemplateService } from "@tsoa/runtime";
import { AttachmentsController } from "./../controllers/attachments-controller.ts";
import { AuthController } from "./../controllers/auth-controller.ts";
import { BansController } from "./../controllers/bans-controller.ts";
import { DocumentController } from "./../controllers/document-controller.ts";
import { HealthController } from "./../controllers/health-controller.ts";
import { MessagesController } from "./../controllers/messages-controller.ts";
import { MetaController } from "./../controllers/meta-controller.ts";
import { PluginDataController } from "./../controllers/plugin-data-controller.ts";
import { ProfileController } from "./../controllers/profile-controller.ts";
import { RoomMessagesController } from "./../controllers/room-messages-controller.ts";
import { RoomsController } from "./../controllers/rooms-controller.ts";
import { UsersController } from "./../controllers/users-controller.ts";
import { expressAuthentication } from "./../http/authentication.ts";
import { iocContainer } from "./../http/container.ts";
import type { IocContainer, IocContainerFactory } from "@tsoa/runtime";
import type { Request as ExRequest, Response as ExResponse, RequestHandler, Router } from "express";

const expressAuthenticationRecasted = expressAuthentication as (
  req: ExRequest,
  securityName: string,
  scopes?: string[],
  res?: ExResponse,
) => Promise<any>;

const models: TsoaRoute.Models = {
  DeviceAttachment: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      messageId: { dataType: "string", required: true },
      roomId: { dataType: "string", required: true },
      filename: { dataType: "string", required: true },
      size: { dataType: "long", required: true },
      mime: { dataType: "string", required: true },
      hash: { dataType: "string", required: true },
      isLocal: { dataType: "boolean", required: true },
      createdAt: { dataType: "long", required: true },
    },
    additionalProperties: true,
  },
  LocalLogin: {
    dataType: "refObject",
    properties: {
      token: { dataType: "string", required: true },
      expiresAt: { dataType: "long", required: true },
      user: {
        dataType: "nestedObjectLiteral",
        nestedProperties: {
          displayName: { dataType: "string", required: true },
          username: { dataType: "string", required: true },
          id: { dataType: "string", required: true },
        },
        required: true,
      },
    },
    additionalProperties: true,
  },
  LoginRequest: {
    dataType: "refObject",
    properties: {
      username: {
        dataType: "string",
        required: true,
        validators: {
          minLength: { errorMsg: "must not be empty", value: 1 },
          maxLength: { errorMsg: "must have at most 256 characters", value: 256 },
        },
      },
      password: {
        dataType: "string",
        required: true,
        validators: {
          minLength: { errorMsg: "must not be empty", value: 1 },
          maxLength: { errorMsg: "must have at most 1024 characters", value: 1024 },
        },
      },
      serverUrl: {
        dataType: "string",
        required: true,
        validators: {
          minLength: { errorMsg: "must not be empty", value: 1 },
          maxLength: { errorMsg: "must have at most 2048 characters", value: 2048 },
        },
      },
    },
    additionalProperties: true,
  },
  DeviceBan: {
    dataType: "refObject",
    properties: {
      roomId: { dataType: "string", required: true },
      userId: { dataType: "string", required: true },
      bannedBy: { dataType: "string", required: true },
      reason: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      createdAt: { dataType: "long", required: true },
      expiresAt: {
        dataType: "union",
        subSchemas: [{ dataType: "long" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
    },
    additionalProperties: true,
  },
  BanState: {
    dataType: "refObject",
    properties: {
      isBanned: { dataType: "boolean", required: true },
    },
    additionalProperties: true,
  },
  OpenApiMembers: {
    dataType: "refObject",
    properties: {},
    additionalProperties: { dataType: "any" },
  },
  OpenApiDocument: {
    dataType: "refObject",
    properties: {
      openapi: { dataType: "string", required: true },
      info: { ref: "OpenApiMembers", required: true },
      paths: { ref: "OpenApiMembers", required: true },
      components: { ref: "OpenApiMembers", required: true },
    },
    additionalProperties: true,
  },
  Health: {
    dataType: "refObject",
    properties: {
      status: { dataType: "string", required: true },
      version: { dataType: "string", required: true },
      timestamp: { dataType: "long", required: true },
      exposeOnLan: { dataType: "boolean", required: true },
    },
    additionalProperties: true,
  },
  DeliveryState: {
    dataType: "refAlias",
    type: {
      dataType: "union",
      subSchemas: [
        { dataType: "enum", enums: ["pending"] },
        { dataType: "enum", enums: ["sent"] },
        { dataType: "enum", enums: ["failed"] },
      ],
      validators: {},
    },
  },
  DeviceMessage: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      roomId: { dataType: "string", required: true },
      channelId: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      senderId: { dataType: "string", required: true },
      senderDisplayName: { dataType: "string", required: true },
      content: { dataType: "string", required: true },
      replyToId: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      mentions: { dataType: "array", array: { dataType: "string" }, required: true },
      timestamp: { dataType: "long", required: true },
      revision: { dataType: "integer", required: true },
      editedAt: {
        dataType: "union",
        subSchemas: [{ dataType: "long" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      deletedAt: {
        dataType: "union",
        subSchemas: [{ dataType: "long" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      delivery: { ref: "DeliveryState", required: true },
      clientInstanceId: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      updatedAt: { dataType: "long", required: true },
    },
    additionalProperties: true,
  },
  DeviceReaction: {
    dataType: "refObject",
    properties: {
      messageId: { dataType: "string", required: true },
      emoji: { dataType: "string", required: true },
      userId: { dataType: "string", required: true },
      createdAt: { dataType: "long", required: true },
    },
    additionalProperties: true,
  },
  MetaEntry: {
    dataType: "refObject",
    properties: {
      key: { dataType: "string", required: true },
      value: { dataType: "string", required: true },
    },
    additionalProperties: true,
  },
  PluginValue: {
    dataType: "refObject",
    properties: {
      value: { dataType: "any", required: true },
    },
    additionalProperties: true,
  },
  DeviceProfile: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      username: { dataType: "string", required: true },
      displayName: { dataType: "string", required: true },
      homeSignalServerUrl: { dataType: "string", required: true },
      avatarHash: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      avatarMime: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      cardText: { dataType: "string", required: true },
      updatedAt: { dataType: "long", required: true },
    },
    additionalProperties: true,
  },
  RoomKind: {
    dataType: "refAlias",
    type: {
      dataType: "union",
      subSchemas: [
        { dataType: "enum", enums: ["server"] },
        { dataType: "enum", enums: ["direct"] },
      ],
      validators: {},
    },
  },
  Visibility: {
    dataType: "refAlias",
    type: {
      dataType: "union",
      subSchemas: [
        { dataType: "enum", enums: ["public"] },
        { dataType: "enum", enums: ["unlisted"] },
        { dataType: "enum", enums: ["private"] },
      ],
      validators: {},
    },
  },
  Role: {
    dataType: "refAlias",
    type: {
      dataType: "union",
      subSchemas: [
        { dataType: "enum", enums: ["owner"] },
        { dataType: "enum", enums: ["moderator"] },
        { dataType: "enum", enums: ["member"] },
      ],
      validators: {},
    },
  },
  ChannelKind: {
    dataType: "refAlias",
    type: {
      dataType: "union",
      subSchemas: [
        { dataType: "enum", enums: ["text"] },
        { dataType: "enum", enums: ["voice"] },
      ],
      validators: {},
    },
  },
  DeviceChannel: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      name: { dataType: "string", required: true },
      kind: { ref: "ChannelKind", required: true },
      position: { dataType: "integer", required: true },
    },
    additionalProperties: true,
  },
  DeviceRoom: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      kind: { ref: "RoomKind", required: true },
      name: { dataType: "string", required: true },
      description: { dataType: "string", required: true },
      signalServerUrl: { dataType: "string", required: true },
      actorUserId: { dataType: "string", required: true },
      iconHash: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      tags: { dataType: "array", array: { dataType: "string" }, required: true },
      visibility: { ref: "Visibility", required: true },
      ownerId: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      peerUserId: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      role: { ref: "Role", required: true },
      channels: { dataType: "array", array: { dataType: "refObject", ref: "DeviceChannel" }, required: true },
      muted: { dataType: "boolean", required: true },
      lastReadMessageId: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      lastReadAt: {
        dataType: "union",
        subSchemas: [{ dataType: "long" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      createdAt: { dataType: "long", required: true },
      joinedAt: { dataType: "long", required: true },
      updatedAt: { dataType: "long", required: true },
    },
    additionalProperties: true,
  },
  DeviceRoomUser: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      username: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      displayName: { dataType: "string", required: true },
      signalServerUrl: { dataType: "string", required: true },
      avatarHash: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      avatarMime: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      cardText: { dataType: "string", required: true },
      isFriend: { dataType: "boolean", required: true },
      updatedAt: { dataType: "long", required: true },
      roomId: { dataType: "string", required: true },
      role: { ref: "Role", required: true },
      joinedAt: { dataType: "long", required: true },
      lastSeenAt: {
        dataType: "union",
        subSchemas: [{ dataType: "long" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
    },
    additionalProperties: true,
  },
  DeviceUser: {
    dataType: "refObject",
    properties: {
      id: { dataType: "string", required: true },
      username: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      displayName: { dataType: "string", required: true },
      signalServerUrl: { dataType: "string", required: true },
      avatarHash: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      avatarMime: {
        dataType: "union",
        subSchemas: [{ dataType: "string" }, { dataType: "enum", enums: [null] }],
        required: true,
      },
      cardText: { dataType: "string", required: true },
      isFriend: { dataType: "boolean", required: true },
      updatedAt: { dataType: "long", required: true },
    },
    additionalProperties: true,
  },
};
const templateService = new ExpressTemplateService(models, {
  noImplicitAdditionalProperties: "ignore",
  bodyCoercion: false,
});

export function RegisterRoutes(app: Router) {
  // ###########################################################################################################
  //  NOTE: If you do not see routes for all of your controllers in this file, then you might not have informed tsoa of where to look
  //      Please look into the "controllerPathGlobs" config option described in the readme: https://github.com/lukeautry/tsoa
  // ###########################################################################################################

  const argsAttachmentsController_listAttachments: Record<string, TsoaRoute.ParameterSchema> = {};
  app.get(
    "/api/attachments",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(AttachmentsController),
    ...fetchMiddlewares<RequestHandler>(AttachmentsController.prototype.listAttachments),

    async function AttachmentsController_listAttachments(
      request: ExRequest,
      response: ExResponse,
      next: any,
    ) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsAttachmentsController_listAttachments,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<AttachmentsController>(AttachmentsController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listAttachments",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsAuthController_login: Record<string, TsoaRoute.ParameterSchema> = {
    body: { in: "body", name: "body", required: true, ref: "LoginRequest" },
    request: { in: "request", name: "request", required: true, dataType: "object" },
  };
  app.post(
    "/api/auth/login",
    ...fetchMiddlewares<RequestHandler>(AuthController),
    ...fetchMiddlewares<RequestHandler>(AuthController.prototype.login),

    async function AuthController_login(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsAuthController_login,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<AuthController>(AuthController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "login",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsAuthController_logout: Record<string, TsoaRoute.ParameterSchema> = {
    request: { in: "request", name: "request", required: true, dataType: "object" },
  };
  app.post(
    "/api/auth/logout",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(AuthController),
    ...fetchMiddlewares<RequestHandler>(AuthController.prototype.logout),

    async function AuthController_logout(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsAuthController_logout,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<AuthController>(AuthController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "logout",
          controller,
          response,
          next,
          validatedArgs,
          successStatus: 204,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsBansController_listBans: Record<string, TsoaRoute.ParameterSchema> = {
    roomId: { in: "path", name: "roomId", required: true, dataType: "string" },
  };
  app.get(
    "/api/rooms/:roomId/bans",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(BansController),
    ...fetchMiddlewares<RequestHandler>(BansController.prototype.listBans),

    async function BansController_listBans(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsBansController_listBans,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<BansController>(BansController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listBans",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsBansController_getBan: Record<string, TsoaRoute.ParameterSchema> = {
    roomId: { in: "path", name: "roomId", required: true, dataType: "string" },
    userId: { in: "path", name: "userId", required: true, dataType: "string" },
  };
  app.get(
    "/api/rooms/:roomId/bans/:userId",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(BansController),
    ...fetchMiddlewares<RequestHandler>(BansController.prototype.getBan),

    async function BansController_getBan(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsBansController_getBan,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<BansController>(BansController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getBan",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsDocumentController_getOpenApiDocument: Record<string, TsoaRoute.ParameterSchema> = {
    ifNoneMatch: { in: "header", name: "If-None-Match", dataType: "string" },
  };
  app.get(
    "/api/openapi.json",
    ...fetchMiddlewares<RequestHandler>(DocumentController),
    ...fetchMiddlewares<RequestHandler>(DocumentController.prototype.getOpenApiDocument),

    async function DocumentController_getOpenApiDocument(
      request: ExRequest,
      response: ExResponse,
      next: any,
    ) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsDocumentController_getOpenApiDocument,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<DocumentController>(DocumentController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getOpenApiDocument",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsHealthController_getHealth: Record<string, TsoaRoute.ParameterSchema> = {};
  app.get(
    "/api/health",
    ...fetchMiddlewares<RequestHandler>(HealthController),
    ...fetchMiddlewares<RequestHandler>(HealthController.prototype.getHealth),

    async function HealthController_getHealth(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsHealthController_getHealth,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<HealthController>(HealthController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getHealth",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsMessagesController_getMessage: Record<string, TsoaRoute.ParameterSchema> = {
    messageId: { in: "path", name: "messageId", required: true, dataType: "string" },
  };
  app.get(
    "/api/messages/:messageId",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(MessagesController),
    ...fetchMiddlewares<RequestHandler>(MessagesController.prototype.getMessage),

    async function MessagesController_getMessage(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsMessagesController_getMessage,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<MessagesController>(MessagesController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getMessage",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsMessagesController_listReactions: Record<string, TsoaRoute.ParameterSchema> = {
    messageId: { in: "path", name: "messageId", required: true, dataType: "string" },
  };
  app.get(
    "/api/messages/:messageId/reactions",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(MessagesController),
    ...fetchMiddlewares<RequestHandler>(MessagesController.prototype.listReactions),

    async function MessagesController_listReactions(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsMessagesController_listReactions,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<MessagesController>(MessagesController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listReactions",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsMessagesController_listMessageAttachments: Record<string, TsoaRoute.ParameterSchema> = {
    messageId: { in: "path", name: "messageId", required: true, dataType: "string" },
  };
  app.get(
    "/api/messages/:messageId/attachments",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(MessagesController),
    ...fetchMiddlewares<RequestHandler>(MessagesController.prototype.listMessageAttachments),

    async function MessagesController_listMessageAttachments(
      request: ExRequest,
      response: ExResponse,
      next: any,
    ) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsMessagesController_listMessageAttachments,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<MessagesController>(MessagesController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listMessageAttachments",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsMetaController_getMeta: Record<string, TsoaRoute.ParameterSchema> = {
    key: { in: "path", name: "key", required: true, dataType: "string" },
  };
  app.get(
    "/api/meta/:key",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(MetaController),
    ...fetchMiddlewares<RequestHandler>(MetaController.prototype.getMeta),

    async function MetaController_getMeta(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsMetaController_getMeta,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<MetaController>(MetaController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getMeta",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsPluginDataController_getPluginValue: Record<string, TsoaRoute.ParameterSchema> = {
    pluginId: {
      in: "query",
      name: "pluginId",
      required: true,
      dataType: "string",
      validators: { minLength: { errorMsg: "must not be empty", value: 1 } },
    },
    key: {
      in: "query",
      name: "key",
      required: true,
      dataType: "string",
      validators: { minLength: { errorMsg: "must not be empty", value: 1 } },
    },
    scope: {
      in: "query",
      name: "scope",
      required: true,
      dataType: "union",
      subSchemas: [
        { dataType: "enum", enums: ["local"] },
        { dataType: "enum", enums: ["server"] },
      ],
    },
    serverId: { in: "query", name: "serverId", dataType: "string" },
  };
  app.get(
    "/api/plugin-data",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(PluginDataController),
    ...fetchMiddlewares<RequestHandler>(PluginDataController.prototype.getPluginValue),

    async function PluginDataController_getPluginValue(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsPluginDataController_getPluginValue,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<PluginDataController>(PluginDataController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getPluginValue",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsProfileController_getProfile: Record<string, TsoaRoute.ParameterSchema> = {};
  app.get(
    "/api/profile",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(ProfileController),
    ...fetchMiddlewares<RequestHandler>(ProfileController.prototype.getProfile),

    async function ProfileController_getProfile(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsProfileController_getProfile,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<ProfileController>(ProfileController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getProfile",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsRoomMessagesController_listRoomMessages: Record<string, TsoaRoute.ParameterSchema> = {
    roomId: { in: "path", name: "roomId", required: true, dataType: "string" },
    limit: {
      default: 100,
      in: "query",
      name: "limit",
      dataType: "double",
      validators: { isDouble: { errorMsg: "must be an integer" } },
    },
    offset: {
      default: 0,
      in: "query",
      name: "offset",
      dataType: "double",
      validators: { isDouble: { errorMsg: "must be an integer" } },
    },
    after: { in: "query", name: "after", dataType: "string" },
  };
  app.get(
    "/api/rooms/:roomId/messages",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(RoomMessagesController),
    ...fetchMiddlewares<RequestHandler>(RoomMessagesController.prototype.listRoomMessages),

    async function RoomMessagesController_listRoomMessages(
      request: ExRequest,
      response: ExResponse,
      next: any,
    ) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsRoomMessagesController_listRoomMessages,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<RoomMessagesController>(RoomMessagesController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listRoomMessages",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsRoomMessagesController_listRoomMessagesSince: Record<string, TsoaRoute.ParameterSchema> = {
    roomId: { in: "path", name: "roomId", required: true, dataType: "string" },
    sinceTimestamp: {
      in: "query",
      name: "sinceTimestamp",
      required: true,
      dataType: "double",
      validators: { isDouble: { errorMsg: "must be an integer" } },
    },
    after: { in: "query", name: "after", dataType: "string" },
  };
  app.get(
    "/api/rooms/:roomId/messages/since",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(RoomMessagesController),
    ...fetchMiddlewares<RequestHandler>(RoomMessagesController.prototype.listRoomMessagesSince),

    async function RoomMessagesController_listRoomMessagesSince(
      request: ExRequest,
      response: ExResponse,
      next: any,
    ) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsRoomMessagesController_listRoomMessagesSince,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<RoomMessagesController>(RoomMessagesController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listRoomMessagesSince",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsRoomsController_listRooms: Record<string, TsoaRoute.ParameterSchema> = {};
  app.get(
    "/api/rooms",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(RoomsController),
    ...fetchMiddlewares<RequestHandler>(RoomsController.prototype.listRooms),

    async function RoomsController_listRooms(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsRoomsController_listRooms,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<RoomsController>(RoomsController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listRooms",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsRoomsController_getRoom: Record<string, TsoaRoute.ParameterSchema> = {
    roomId: { in: "path", name: "roomId", required: true, dataType: "string" },
  };
  app.get(
    "/api/rooms/:roomId",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(RoomsController),
    ...fetchMiddlewares<RequestHandler>(RoomsController.prototype.getRoom),

    async function RoomsController_getRoom(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsRoomsController_getRoom,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<RoomsController>(RoomsController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getRoom",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsRoomsController_listRoomUsers: Record<string, TsoaRoute.ParameterSchema> = {
    roomId: { in: "path", name: "roomId", required: true, dataType: "string" },
  };
  app.get(
    "/api/rooms/:roomId/users",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(RoomsController),
    ...fetchMiddlewares<RequestHandler>(RoomsController.prototype.listRoomUsers),

    async function RoomsController_listRoomUsers(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsRoomsController_listRoomUsers,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<RoomsController>(RoomsController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "listRoomUsers",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );
  const argsUsersController_getUser: Record<string, TsoaRoute.ParameterSchema> = {
    userId: { in: "path", name: "userId", required: true, dataType: "string" },
  };
  app.get(
    "/api/users/:userId",
    authenticateMiddleware([{ bearer: [] }]),
    ...fetchMiddlewares<RequestHandler>(UsersController),
    ...fetchMiddlewares<RequestHandler>(UsersController.prototype.getUser),

    async function UsersController_getUser(request: ExRequest, response: ExResponse, next: any) {
      let validatedArgs: any[] = [];
      try {
        validatedArgs = templateService.getValidatedArgs({
          args: argsUsersController_getUser,
          request,
          response,
        });

        const container: IocContainer =
          typeof iocContainer === "function" ? (iocContainer as IocContainerFactory)(request) : iocContainer;

        const controller: any = await container.get<UsersController>(UsersController);
        if (typeof controller["setStatus"] === "function") {
          controller.setStatus(undefined);
        }

        await templateService.apiHandler({
          methodName: "getUser",
          controller,
          response,
          next,
          validatedArgs,
        });
      } catch (err) {
        return next(err);
      }
    },
  );

  function authenticateMiddleware(security: TsoaRoute.Security[] = []) {
    return async function runAuthenticationMiddleware(request: any, response: any, next: any) {
      // keep track of failed auth attempts so we can hand back the most
      // recent one.  This behavior was previously existing so preserving it
      // here
      const failedAttempts: any[] = [];
      const pushAndRethrow = (error: any) => {
        failedAttempts.push(error);
        throw error;
      };

      const secMethodOrPromises: Promise<any>[] = [];
      for (const secMethod of security) {
        if (Object.keys(secMethod).length > 1) {
          const secMethodAndPromises: Promise<any>[] = [];

          for (const name in secMethod) {
            secMethodAndPromises.push(
              expressAuthenticationRecasted(request, name, secMethod[name], response).catch(pushAndRethrow),
            );
          }

          secMethodOrPromises.push(
            Promise.all(secMethodAndPromises).then((users) => {
              return users[0];
            }),
          );
        } else {
          for (const name in secMethod) {
            secMethodOrPromises.push(
              expressAuthenticationRecasted(request, name, secMethod[name], response).catch(pushAndRethrow),
            );
          }
        }
      }

      try {
        request["user"] = await Promise.any(secMethodOrPromises);

        // Response was sent in middleware, abort
        if (response.writableEnded) {
          return;
        }

        next();
      } catch (err) {
        // Show most recent error as response
        const error = failedAttempts.pop();
        error.status = error.status || 401;

        // Response was sent in middleware, abort
        if (response.writableEnded) {
          return;
        }
        next(error);
      }
    };
  }
}
