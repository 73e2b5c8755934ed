import { ProblemError } from "@hearth/contracts";
import { invalidRequest, problemOf } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { CALLS } from "@hearth/bridge";
import type { Answer, CallHandlers } from "@hearth/bridge";
import type { CallName } from "@hearth/bridge";
import { APP_ORIGIN } from "../window/origin.ts";
import type { Caller, IpcPort } from "../ports.ts";

export interface IpcOptions {
  readonly port: IpcPort;
  readonly handlers: CallHandlers;
  /** The web contents of our window while it is open. */
  readonly contentsId: () => number | undefined;
  readonly log: Log;
}

const channels = Object.keys(CALLS) as CallName[];

async function run(handlers: CallHandlers, channel: CallName, input: unknown): Promise<unknown> {
  const schemas = CALLS[channel];
  const parsed = schemas.input.safeParse(input);
  if (!parsed.success) throw invalidRequest(parsed.error);
  // One name selects both schema and handler, which the compiler cannot follow.
  const handle = handlers[channel] as (input: unknown) => unknown;
  return schemas.output.parse(await handle(parsed.data));
}

/** Answers the listed channels for the main frame of our window only. */
export function serveWindow({ port, handlers, contentsId, log }: IpcOptions): () => void {
  const isOurs = (caller: Caller): boolean =>
    caller.isMainFrame && caller.origin === APP_ORIGIN && caller.contentsId === contentsId();

  return port.serve(channels, async (channel, caller, input): Promise<Answer> => {
    try {
      if (!isOurs(caller)) {
        log.warn({ channel, origin: caller.origin.slice(0, 256) }, "call from unknown sender refused");
        throw new ProblemError("FORBIDDEN");
      }
      if (!Object.hasOwn(CALLS, channel)) throw new ProblemError("NOT_FOUND");
      return { ok: true, value: await run(handlers, channel, input) };
    } catch (error) {
      const { code, message } = problemOf(error, log, { channel });
      return { ok: false, error: { code, message } };
    }
  });
}
