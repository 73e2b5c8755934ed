import { contextBridge, ipcRenderer } from "electron";
import type { BridgeFailure, HearthBridge, LocalApiView } from "@hearth/bridge";
import { CALL, EVENT, VERSION_ARGUMENT } from "@hearth/bridge";
import type { CallName, EventName } from "@hearth/bridge";
import type { Answer, CallInput, CallOutput } from "@hearth/bridge";
import { storeOf } from "@hearth/bridge";

const failure = (code: string, message: string): Error & BridgeFailure => ({
  name: "BridgeFailure",
  code,
  message,
});

async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const answer = await (ipcRenderer.invoke(name, input) as Promise<Answer>).catch(() => {
    throw failure("UNAVAILABLE", "The app does not answer");
  });
  if (!answer.ok) throw failure(answer.error.code, answer.error.message);
  return answer.value as CallOutput<N>;
}

/** The page never gets Electron's event, which gives access to `ipcRenderer`. */
function on(name: EventName, listener: (payload: unknown) => void): () => void {
  const handler = (_event: unknown, payload: unknown): void => {
    listener(payload);
  };
  ipcRenderer.on(name, handler);
  return () => {
    ipcRenderer.off(name, handler);
  };
}

/** Delivers waiting items now, and whenever the main process announces some. */
function onWaiting<T>(name: EventName, take: () => Promise<T[]>, listener: (item: T) => void): () => void {
  const deliver = (): void => {
    void take().then(
      (items) => {
        items.forEach((item) => {
          listener(item);
        });
      },
      () => undefined,
    );
  };
  deliver();
  return on(name, deliver);
}

const version = process.argv.find((argument) => argument.startsWith(VERSION_ARGUMENT)) ?? VERSION_ARGUMENT;

const bridge: HearthBridge = {
  version: version.slice(VERSION_ARGUMENT.length),
  localApi: {
    view: () => call(CALL.viewLocalApi, undefined),
    change: (settings) => call(CALL.changeLocalApi, settings),
    revokeToken: (tokenId) => call(CALL.revokeToken, tokenId),
    revokeAllTokens: () => call(CALL.revokeAllTokens, undefined),
    onChange: (listener) =>
      on(EVENT.localApiChanged, (view) => {
        listener(view as LocalApiView);
      }),
  },
  openDocument: (document) => call(CALL.openDocument, document),
  secrets: {
    level: () => call(CALL.secretLevel, undefined),
    get: (name) => call(CALL.getSecret, name),
    set: (name, value) => call(CALL.setSecret, { name, value }),
    remove: (name) => call(CALL.removeSecret, name),
  },
  notifications: {
    show: ({ title, body, target }) => call(CALL.showNotification, { title, body, target }),
    onActivate: (listener) =>
      onWaiting(EVENT.activated, () => call(CALL.takeActivations, undefined), listener),
  },
  links: {
    onOpen: (listener) => onWaiting(EVENT.linkOpened, () => call(CALL.takeLinks, undefined), listener),
  },
  autoStart: {
    get: () => call(CALL.getAutoStart, undefined),
    set: (enabled) => call(CALL.setAutoStart, enabled),
  },
  store: storeOf(
    (method, kind) =>
      (...args) =>
        call(kind === "read" ? CALL.readStore : CALL.writeStore, { method, args }),
  ),
};

contextBridge.exposeInMainWorld("hearth", bridge);
