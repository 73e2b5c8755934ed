import type { RouteContract } from "@hearth/contracts";
import type { z } from "zod";

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? { readonly [K in Name]: Input<Schema> }
  : unknown;

/** The input of a route: `params`, `query` (as values, not text) and `body`, if it has them. */
export type RestInput<R extends RouteContract> = Part<"params", R["params"]> &
  Part<"body", R["body"]> &
  (R["query"] extends z.ZodType
    ? { readonly query?: Readonly<Record<string, string | number | undefined>> }
    : unknown) & { readonly signal?: AbortSignal };

export type RestResult<R extends RouteContract> = R["success"] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/**
 * Calls an instance by the routes of the contracts. Rejects with a `ClientProblem`: the server's code, `NO_ANSWER`
 * after 15 s or without a network, `BAD_ANSWER` for a malformed answer.
 */
export interface Rest {
  call<R extends RouteContract>(
    signalServerUrl: string,
    route: R,
    input: RestInput<R>,
  ): Promise<RestResult<R>>;
}
