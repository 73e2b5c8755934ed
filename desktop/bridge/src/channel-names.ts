/** The closed list of what the window may call. Apart from the schemas, so that the preload script stays small. */
export const CALL = {
  viewLocalApi: "local-api:view",
  changeLocalApi: "local-api:change",
  revokeToken: "local-api:revoke-token",
  revokeAllTokens: "local-api:revoke-all-tokens",
  openDocument: "document:open",
  secretLevel: "secrets:level",
  getSecret: "secrets:get",
  setSecret: "secrets:set",
  removeSecret: "secrets:remove",
  showNotification: "notifications:show",
  takeActivations: "notifications:take-activations",
  takeLinks: "links:take",
  getAutoStart: "auto-start:get",
  setAutoStart: "auto-start:set",
  readStore: "store:read",
  writeStore: "store:write",
} as const;

export type CallName = (typeof CALL)[keyof typeof CALL];

/** The closed list of what the main process sends unasked. */
export const EVENT = {
  /** With the view. */
  localApiChanged: "local-api:changed",
  /** Something can be taken with `takeActivations`. */
  activated: "notifications:activated",
  /** Something can be taken with `takeLinks`. */
  linkOpened: "links:opened",
} as const;

export type EventName = (typeof EVENT)[keyof typeof EVENT];

/** The argument that tells the preload script the app's version: `--hearth-version=1.2.3`. */
export const VERSION_ARGUMENT = "--hearth-version=";
