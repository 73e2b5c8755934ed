import type {
  Quota,
  RouteBody,
  RouteContract,
  RouteParams,
  RouteQuery,
  RouteResult,
} from "@hearth/contracts";
import type { Actor } from "../identity/jwt-verifier.ts";

type ActorOf<Contract extends RouteContract> = Contract["auth"] extends "bearer"
  ? Actor
  : Contract["auth"] extends "optional"
    ? Actor | null
    : null;

/** A validated request as a handler sees it. */
export interface HandlerInput<Contract extends RouteContract> {
  readonly actor: ActorOf<Contract>;
  readonly params: RouteParams<Contract>;
  readonly query: RouteQuery<Contract>;
  readonly body: RouteBody<Contract>;
  /** The client's address that the gateway saw. */
  readonly clientAddress: string;
  readonly userAgent: string | null;
  /** Tells the client how much of a limit is left (rule ER5). */
  readonly reportQuota: (quota: Quota) => void;
}

/** Returns the body of the route's success response, or throws a `ProblemError`. */
export type Handler<Contract extends RouteContract> = (
  input: HandlerInput<Contract>,
) => Promise<RouteResult<Contract>>;

/** One handler for each route of a table. */
export type Handlers<Routes extends Readonly<Record<string, RouteContract>>> = {
  readonly [Name in keyof Routes]: Handler<Routes[Name]>;
};
