import { expect } from "@jest/globals";
import { type Answer, type CallOptions, call } from "../client/index.ts";
import type { ApiDocument, Operation } from "./document.ts";

export type Values = Readonly<Record<string, string>>;

export interface Visit extends CallOptions {
  readonly params?: Values;
  readonly query?: Values;
}

const targetOf = ({ path }: Operation, { params = {}, query = {} }: Visit): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? crypto.randomUUID()),
  );
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
};

/** Calls operations, validates the responses against the document and records which ones it has seen. */
export class Visits {
  readonly #url: string;
  readonly #api: ApiDocument;
  readonly #seen = new Map<string, Set<number>>();

  constructor(url: string, api: ApiDocument) {
    this.#url = url;
    this.#api = api;
  }

  async visit<Body = unknown>(id: string, status: number, options: Visit = {}): Promise<Body> {
    const operation = this.#api.operation(id);
    const answer = await call(
      this.#url,
      operation.method.toUpperCase(),
      targetOf(operation, options),
      options,
    );
    expect([id, answer.status, answer.body]).toEqual([id, status, answer.body]);
    this.expectDocumented(operation, answer);
    return answer.body as Body;
  }

  expectDocumented(operation: Operation, { status, headers, body }: Answer<unknown>): void {
    const { id } = operation;
    const expected = this.#api.expected(operation, status);
    if (!expected) throw new Error(`${id} answered ${status}, which is not documented`);
    const type = headers.get("content-type")?.split(";")[0];
    expect([id, status, type]).toEqual([id, status, expected.type]);
    expect([id, status, expected.check(body)]).toEqual([id, status, []]);
    for (const name of expected.headers)
      expect([id, status, name, headers.has(name)]).toEqual([id, status, name, true]);
    if (status >= 400) expect(expected.codes).toContain((body as { code: string }).code);
    if (expected.type === undefined) expect(body).toBeNull();
    this.#seen.set(id, (this.#seen.get(id) ?? new Set()).add(status));
  }

  hasSeen(id: string, status: number): boolean {
    return this.#seen.get(id)?.has(status) ?? false;
  }
}
