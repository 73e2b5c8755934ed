import { fitsIn } from "../../build/openapi-checks.ts";
import type { Answer as Described, OpenApi, Operation } from "../../build/openapi-model.ts";
import type { Answer } from "./raw-call.ts";

interface Route {
  readonly pattern: RegExp;
  readonly operation: Operation;
}

const routesIn = (document: OpenApi): readonly Route[] =>
  Object.entries(document.paths).flatMap(([template, item]) =>
    Object.values(item).map((operation) => ({
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      operation,
    })),
  );

interface ErrorSchema {
  readonly allOf?: readonly {
    readonly properties?: { readonly code?: { readonly enum?: readonly string[] } };
  }[];
}

const codesOf = ({ content }: Described): readonly string[] => {
  const schema = content?.["application/problem+json"]?.schema as ErrorSchema | undefined;
  return schema?.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []) ?? [];
};

/** Validates responses against the document, and remembers which documented ones were never seen. */
export class Contract {
  readonly #document: OpenApi;
  readonly #routes: readonly Route[];
  readonly #fits: ReturnType<typeof fitsIn>;
  readonly #missing = new Set<string>();

  constructor(document: OpenApi) {
    this.#document = document;
    this.#routes = routesIn(document);
    this.#fits = fitsIn(document);
    for (const { operation } of this.#routes) {
      for (const status of Object.keys(operation.responses)) {
        const codes = codesOf(this.#described(operation, status));
        for (const code of codes.length > 0 ? codes : [""]) {
          this.#missing.add(`${operation.operationId} ${status} ${code}`.trim());
        }
      }
    }
  }

  /** Documented responses that were not seen, as `operationId status code`. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** Throws if the response does not conform to the document. */
  check(target: string, answer: Answer): void {
    const [path = ""] = target.split("?");
    const operation = this.#routes.find(({ pattern }) => pattern.test(path))?.operation;
    if (!operation) throw new Error(`${path} is not in the document`);
    const where = `${operation.operationId} ${answer.status}`;
    const described = this.#described(operation, String(answer.status));
    for (const name of Object.keys(described.headers ?? {})) {
      if (!answer.headers.has(name) && !isOptional(name)) throw new Error(`${where} has no ${name}`);
    }
    this.#checkBody(where, described, answer);
    const code = codesOf(described).find(
      (each) => each === (answer.body as { code?: unknown } | undefined)?.code,
    );
    this.#missing.delete(`${where} ${code ?? ""}`.trim());
  }

  #checkBody(where: string, { content }: Described, answer: Answer): void {
    const type = answer.headers.get("content-type")?.replace(/;.*/, "");
    if (!content) {
      if (answer.text !== "" || type !== undefined) throw new Error(`${where} has a body`);
      return;
    }
    const media = content[type ?? ""];
    if (!media) throw new Error(`${where} answers with ${type ?? "no type"}`);
    const fault = this.#fits(media.schema, answer.body);
    if (fault !== undefined) throw new Error(`${where}: ${fault}`);
  }

  #described(operation: Operation, status: string): Described {
    const found = operation.responses[status];
    const described =
      found && "$ref" in found
        ? this.#document.components.responses[found.$ref.split("/").at(-1) ?? ""]
        : found;
    if (!described) throw new Error(`${operation.operationId} promises no ${status}`);
    return described;
  }
}

/** Headers that not every response has. */
const isOptional = (name: string): boolean => /^(Link|Retry-After|(X-)?RateLimit.*)$/.test(name);
