import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

const requestIds = new AsyncLocalStorage<string | undefined>();

/** Runs `fn` so that everything it starts, awaited or not, belongs to this request; `undefined` belongs to none. */
export const withRequestId = <Result>(id: string | undefined, fn: () => Result): Result =>
  requestIds.run(id, fn);

/** The id of the request in whose course the caller runs; `undefined` outside of any. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

export const newRequestId = (): string => randomUUID();

const SANE = /^[A-Za-z0-9._:-]{1,64}$/;

/** A request id that arrived from another process is kept only if it can do no harm in a log or a header. */
export const requestIdOr = (presented: unknown, fallback: () => string = newRequestId): string =>
  typeof presented === "string" && SANE.test(presented) ? presented : fallback();
