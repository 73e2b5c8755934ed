import type { ErrorCode } from "@hearth/contracts";
import type { BrowserContext } from "playwright-core";

/** Whether messages are refused now. */
export interface Refusal {
  isOn: boolean;
}

const parsed = (text: string | Buffer): Readonly<Record<string, unknown>> =>
  JSON.parse(text.toString()) as Readonly<Record<string, unknown>>;

/** Refuses a context's chat messages with a code while it is on. */
export async function refusing(context: BrowserContext, code: ErrorCode): Promise<Refusal> {
  const refusal: Refusal = { isOn: false };
  await context.routeWebSocket(/\/ws$/u, (page) => {
    const server = page.connectToServer();
    page.onMessage((text) => {
      const { type, requestId } = parsed(text);
      if (!refusal.isOn || type !== "chat_message") {
        server.send(text);
        return;
      }
      const error = { type: "error", code, message: "Refused", retryable: false, inReplyTo: type };
      page.send(JSON.stringify({ ...error, ...(requestId !== undefined && { requestId }) }));
    });
  });
  return refusal;
}
