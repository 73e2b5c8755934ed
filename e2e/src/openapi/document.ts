import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
}

interface Reference {
  readonly $ref?: string;
}

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface Response {
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** One operation of an OpenAPI document, its references resolved. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** `/api/servers/{id}` */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly needsToken: boolean;
  /** An example of the body, if it has one. */
  readonly body: unknown;
  readonly statuses: readonly number[];
}

interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Reference & Response>>;
}

export interface RawDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The documented form of a response. */
export interface Expected {
  /** Header names. */
  readonly headers: readonly string[];
  /** `undefined` when no body is documented. */
  readonly type: string | undefined;
  /** The documented codes of an error. */
  readonly codes: readonly string[];
  /** The errors of this body; empty when it is valid. */
  check(body: unknown): string[];
}

const ROOT = "document";

/** An OpenAPI document that validates responses. */
export class ApiDocument {
  readonly raw: RawDocument;
  readonly operations: readonly Operation[];
  private readonly ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  private readonly checks = new Map<string, ValidateFunction>();

  constructor(raw: RawDocument) {
    this.raw = raw;
    addFormats.default(this.ajv);
    // OpenAPI keywords that JSON Schema lacks.
    this.ajv.addVocabulary(["openapi", "info", "servers", "tags", "paths", "components", "example"]);
    this.ajv.addSchema(raw, ROOT);
    this.operations = Object.entries(raw.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => describe(path, method, operation)),
    );
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`the document has no operation ${id}`);
    return found;
  }

  /** `undefined` when the status is not documented. */
  expected({ path, method }: Operation, status: number): Expected | undefined {
    const direct = this.raw.paths[path]?.[method]?.responses[status];
    if (!direct) return undefined;
    const pointer = direct.$ref ?? `#/paths/${escape(path)}/${method}/responses/${status}`;
    const response = direct.$ref === undefined ? direct : (this.resolve(direct.$ref) as Response);
    const [type] = Object.keys(response.content ?? {});
    const media = type === undefined ? undefined : response.content?.[type];
    return {
      headers: Object.keys(response.headers ?? {}),
      type,
      codes: Object.keys(media?.examples ?? {}),
      check: (body) =>
        type === undefined ? [] : this.check(`${pointer}/content/${escape(type)}/schema`, body),
    };
  }

  /** Compiles every schema of the document; throws on an invalid one. */
  compileAll(): number {
    const pointers = Object.keys(this.raw.components["schemas"] ?? {}).map(
      (name) => `#/components/schemas/${name}`,
    );
    for (const pointer of pointers) this.compiled(pointer);
    return pointers.length;
  }

  /** All broken references of the document. */
  danglingReferences(): string[] {
    const references = [...JSON.stringify(this.raw).matchAll(/"\$ref":"(#[^"]*)"/g)].map(
      ([, pointer = ""]) => pointer,
    );
    return [...new Set(references)].filter((pointer) => this.resolve(pointer) === undefined);
  }

  private check(pointer: string, body: unknown): string[] {
    const validate = this.compiled(pointer);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
  }

  private compiled(pointer: string): ValidateFunction {
    const known = this.checks.get(pointer);
    if (known) return known;
    const compiled = this.ajv.compile({ $ref: `${ROOT}${pointer}` });
    this.checks.set(pointer, compiled);
    return compiled;
  }

  private resolve(pointer: string): unknown {
    return pointer
      .slice(2)
      .split("/")
      .reduce<unknown>(
        (value, key) =>
          typeof value === "object" && value !== null
            ? (value as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")]
            : undefined,
        this.raw,
      );
  }
}

const escape = (key: string): string => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

const describe = (path: string, method: string, operation: RawOperation): Operation => ({
  id: operation.operationId,
  method,
  path,
  parameters: operation.parameters ?? [],
  needsToken:
    (operation.security ?? []).length > 0 &&
    !operation.security?.some((each) => Object.keys(each).length === 0),
  body: operation.requestBody?.content["application/json"]?.example,
  statuses: Object.keys(operation.responses).map(Number),
});
