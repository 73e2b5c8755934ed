import type { BrowserContext } from "playwright-core";

export interface Call {
  readonly channel: string;
  readonly input: unknown;
}

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/**
 * Converts values like Electron's bridge: functions are wrapped, all else becomes a frozen copy, and an `Error` keeps
 * only its message.
 */
const CONTEXT_BRIDGE = `
const cross = (value) => {
  if (typeof value === "function")
    return (...args) => {
      const result = value(...args.map(cross));
      return result instanceof Promise
        ? new Promise((resolve, reject) => result.then((it) => resolve(cross(it)), (it) => reject(cross(it))))
        : cross(result);
    };
  if (value instanceof Error) return new Error(value.message);
  if (ArrayBuffer.isView(value)) return structuredClone(value);
  if (Array.isArray(value)) return Object.freeze(value.map(cross));
  if (typeof value === "object" && value !== null)
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, it]) => [key, cross(it)])));
  return value;
};
const handlers = new Map();
const of = (channel) => handlers.get(channel) ?? handlers.set(channel, new Set()).get(channel);
const electron = {
  contextBridge: {
    exposeInMainWorld: (name, api) => Object.defineProperty(globalThis, name, { value: cross(api), enumerable: true }),
  },
  ipcRenderer: {
    invoke: (channel, input) => globalThis.hearthMain({ channel, input: structuredClone(input) }),
    on: (channel, handler) => of(channel).add(handler),
    off: (channel, handler) => of(channel).delete(handler),
  },
};
globalThis.hearthSend = (channel, payload) => of(channel).forEach((handler) => handler({}, payload));
`;

/** Runs the script before every page of the context, like Electron, with `answer` as the main process. */
export async function installPreload(
  context: BrowserContext,
  script: string,
  answer: (call: Call) => Answer | Promise<Answer>,
): Promise<void> {
  await context.exposeFunction("hearthMain", answer);
  await context.addInitScript(
    `(() => {
      ${CONTEXT_BRIDGE}
      const process = { argv: ["--hearth-version=9.8.7"] };
      const require = (name) => { if (name !== "electron") throw new Error(name); return electron; };
      ((require, module, exports, process) => { ${script} })(require, { exports: {} }, {}, process);
    })();`,
  );
}
