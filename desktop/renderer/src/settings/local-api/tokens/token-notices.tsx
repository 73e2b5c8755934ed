import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { navigate } from "../../../navigation/navigation.tsx";
import { strings } from "../../../strings/strings.ts";
import { Button } from "../../../ui/button.tsx";
import type { LocalApiStore } from "../local-api-store.ts";
import { TOKENS_HEADING } from "./tokens-card.tsx";
import { hostOf } from "../../../strings/host.ts";
import { issuedTokens } from "./tokens.ts";
import "../../../ui/overlays/toasts.css";

const text = strings.localApi;

function showTokens(): void {
  navigate({ area: "settings", page: "local-api" });
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(TOKENS_HEADING)?.focus()));
}

/** Somebody who can read the device's data has logged in: that stays in sight until it is dismissed. */
export function TokenNotices({ localApi }: { localApi: LocalApiStore }) {
  const { add, close, toasts } = Toast.useToastManager();
  useEffect(
    () =>
      localApi.onView((after, before) => {
        for (const { id, username, serverUrl, remoteAddress } of issuedTokens(before.tokens, after.tokens))
          add({
            id,
            title: text.issued(username),
            description: text.issuedHelp(hostOf(serverUrl), remoteAddress),
          });
      }),
    [localApi, add],
  );
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts" aria-label={strings.app.notices}>
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast">
            <Toast.Content>
              <Toast.Title className="toast-title" />
              <Toast.Description className="quiet" />
              <div className="toast-actions">
                <Button
                  onClick={() => {
                    close(toast.id);
                    showTokens();
                  }}
                >
                  {text.reviewTokens}
                </Button>
                <Button onClick={() => close(toast.id)}>{strings.app.dismiss}</Button>
              </div>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
