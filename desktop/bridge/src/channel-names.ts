/** All channels that the page may call. Separate from the schemas, so that the preload script stays small. */
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

/** All channels on which the main process sends events. */
export const EVENT = {
  /** With the view. */
  localApiChanged: "local-api:changed",
  /** Activations wait for `takeActivations`. */
  activated: "notifications:activated",
  /** Links wait for `takeLinks`. */
  linkOpened: "links:opened",
} as const;

export type EventName = (typeof EVENT)[keyof typeof EVENT];

/** The argument that passes the app's version to the preload script: `--hearth-version=1.2.3`. */
export const VERSION_ARGUMENT = "--hearth-version=";
