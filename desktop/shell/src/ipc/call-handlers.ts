import type { DeepLink, LocalDocument, NotificationTarget } from "@hearth/bridge";
import { CALL } from "@hearth/bridge";
import type { CallHandlers } from "@hearth/bridge";
import type { ClientStore } from "@hearth/store";
import type { AutoStartPort, LocalApi, NotificationPort } from "../ports.ts";
import type { Secrets } from "../files/secrets.ts";
import { createStoreHandlers } from "./store-handlers.ts";
import type { Waiting } from "../waiting.ts";

export interface CallHandlerOptions {
  readonly localApi: LocalApi;
  readonly store: ClientStore;
  readonly openDocument: (document: LocalDocument) => Promise<void>;
  readonly secrets: Secrets;
  readonly notifications: NotificationPort;
  readonly autoStart: AutoStartPort;
  readonly activations: Waiting<NotificationTarget>;
  readonly links: Waiting<DeepLink>;
  readonly showWindow: () => void;
}

const localApiHandlers = ({ localApi, openDocument }: CallHandlerOptions) =>
  ({
    [CALL.viewLocalApi]: () => localApi.view(),
    [CALL.changeLocalApi]: (settings) => localApi.change(settings),
    [CALL.revokeToken]: (tokenId) => {
      // False if it has already ended, which is fine.
      localApi.revoke(tokenId);
      return localApi.view();
    },
    [CALL.revokeAllTokens]: () => {
      localApi.revokeAll();
      return localApi.view();
    },
    [CALL.openDocument]: async (document) => {
      await openDocument(document);
      return localApi.view();
    },
  }) satisfies Partial<CallHandlers>;

/** The handler of each call. */
export const createCallHandlers = (options: CallHandlerOptions): CallHandlers => {
  const { localApi, store, secrets, notifications, autoStart, activations, links, showWindow } = options;
  return {
    ...localApiHandlers(options),
    ...createStoreHandlers(store, () => {
      localApi.revokeAll();
    }),
    [CALL.secretLevel]: () => secrets.level(),
    [CALL.getSecret]: (name) => secrets.get(name),
    [CALL.setSecret]: ({ name, value }) => secrets.set(name, value),
    [CALL.removeSecret]: async (name) => {
      await secrets.remove(name);
      return undefined;
    },
    [CALL.showNotification]: ({ title, body, target }) => {
      notifications.show({ title, body }, () => {
        showWindow();
        activations.add(target);
      });
      return undefined;
    },
    [CALL.takeActivations]: () => activations.take(),
    [CALL.takeLinks]: () => links.take(),
    [CALL.getAutoStart]: () => autoStart.isEnabled(),
    [CALL.setAutoStart]: async (enabled) => {
      await autoStart.set(enabled);
      return autoStart.isEnabled();
    },
  };
};
