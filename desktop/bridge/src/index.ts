export type {
  BridgeFailure,
  DeepLink,
  HearthBridge,
  LocalApiView,
  LocalDocument,
  NotificationTarget,
  SecretLevel,
  SettingsChange,
} from "./bridge.ts";
export { CALL, EVENT, VERSION_ARGUMENT } from "./channel-names.ts";
export type { CallName, EventName } from "./channel-names.ts";
export { CALLS, localApiView } from "./channels.ts";
export type { Answer, CallHandlers, CallInput, CallOutput } from "./channels.ts";
export type { LocalServerState, LocalTokenInfo } from "./local-api.ts";
export type { StoreCall } from "./store-calls.ts";
export { STORE_METHODS, storeOf } from "./store-methods.ts";
export type { StoreMethod } from "./store-methods.ts";
