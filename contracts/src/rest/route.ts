import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";

/** The services that own REST routes. */
export type RouteOwner = "auth" | "discovery" | "gateway";

/** `none`: ignores tokens. `optional`: uses a valid token and ignores an invalid one. `bearer`: requires a token. */
export type RouteAuth = "none" | "optional" | "bearer";

/**
 * One REST route as data. The HTTP edge validates requests with it, the gateway reads from it which routes need a
 * token, and the OpenAPI document is generated from it, so the three cannot disagree.
 */
export interface RouteContract {
  readonly operationId: string;
  readonly owner: RouteOwner;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** In express form: `/api/servers/:id`. */
  readonly path: `/api/${string}`;
  readonly auth: RouteAuth;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Path and query values arrive as strings; the schemas turn them into the handler's values. */
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema?: z.ZodType;
  };
  /** In addition to the errors of every route (`INVALID_REQUEST`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE`, …). */
  readonly errors: readonly ErrorCode[];
}

/** Declares a route and keeps the precise types of its schemas. */
export const route = <const Contract extends RouteContract>(contract: Contract): Contract => contract;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export type RouteParams<Contract extends RouteContract> = Parsed<Contract["params"]>;
export type RouteQuery<Contract extends RouteContract> = Parsed<Contract["query"]>;
export type RouteBody<Contract extends RouteContract> = Parsed<Contract["body"]>;
/** A handler's result: the body of the success answer, or nothing for 204. */
export type RouteResult<Contract extends RouteContract> = Contract["success"] extends {
  schema: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : undefined;
