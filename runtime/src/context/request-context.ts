import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

const requestIds = new AsyncLocalStorage<string | undefined>();

/** Runs `fn`: everything that it starts, awaited or not, has this request id. `undefined` stands for none. */
export const withRequestId = <Result>(id: string | undefined, fn: () => Result): Result =>
  requestIds.run(id, fn);

/** The id of the request that the caller runs for; `undefined` outside of one. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

export const newRequestId = (): string => randomUUID();

const SANE = /^[A-Za-z0-9._:-]{1,64}$/;

/** The request id from another process, if it is safe in a log and a header; otherwise a new one. */
export const requestIdOr = (presented: unknown, fallback: () => string = newRequestId): string =>
  typeof presented === "string" && SANE.test(presented) ? presented : fallback();
