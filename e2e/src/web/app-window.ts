import type { BrowserContext } from "playwright-core";
import type { Answer, Call } from "../window/preload.ts";
import { installPreload } from "../window/preload.ts";
import type { StoreProcess } from "../window/store-process.ts";

/** The app's answers without its store: secrets in memory, no local API. */
function shellAnswers(): (call: Call) => unknown {
  const secrets = new Map<string, string>();
  const localApi = {
    settings: {
      enabled: false,
      port: 17_878,
      exposeOnLan: false,
      referenceDocsEnabled: false,
      staticDocsEnabled: false,
      allowedSignalingServers: [],
    },
    state: { status: "stopped" },
    tokens: [],
  };
  return ({ channel, input }) => {
    switch (channel) {
      case "secrets:level":
        return "session";
      case "secrets:get":
        return secrets.get(input as string) ?? null;
      case "secrets:set": {
        const { name, value } = input as { readonly name: string; readonly value: string };
        secrets.set(name, value);
        return "session";
      }
      case "secrets:remove":
        secrets.delete(input as string);
        return undefined;
      case "local-api:view":
        return localApi;
      case "notifications:take-activations":
      case "links:take":
        return [];
      case "auto-start:get":
        return false;
      default:
        throw new Error(`The app was asked for ${channel}`);
    }
  };
}

/** Makes a context's pages windows of the desktop app, with its real preload script and store. */
export async function asAppWindow(
  context: BrowserContext,
  script: string,
  store: StoreProcess,
): Promise<void> {
  const answerOf = shellAnswers();
  await installPreload(context, script, async (call): Promise<Answer> => {
    if (call.channel.startsWith("store:")) return store.answer(call);
    return { ok: true, value: answerOf(call) };
  });
}
