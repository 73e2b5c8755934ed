import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Answer, Media, OpenApi, Operation } from "./openapi-model.ts";

const resolved = (document: OpenApi, answer: Answer | { $ref: string }): Answer | undefined =>
  "$ref" in answer ? document.components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;

export const operationsOf = (document: OpenApi): readonly Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item));

function* examplesIn({ example, examples }: Media): Generator {
  if (example !== undefined) yield example;
  for (const { value } of Object.values(examples ?? {})) yield value;
}

type Fits = (schema: unknown, value: unknown) => string | undefined;

/** Validates values against schemas of the document, with references. */
export function fitsIn(document: OpenApi): Fits {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document:api", components: document.components });
  const validators = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const absolute = JSON.stringify(schema).replaceAll('"#/', '"document:api#/');
    const validate = validators.get(absolute) ?? ajv.compile(JSON.parse(absolute) as object);
    validators.set(absolute, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}

function* faultsOfMedia(where: string, media: Media, fits: Fits): Generator<string> {
  let examples = 0;
  for (const example of examplesIn(media)) {
    examples += 1;
    const fault = fits(media.schema, example);
    if (fault !== undefined) yield `${where}: an example does not fit: ${fault}`;
  }
  if (examples === 0) yield `${where}: no example`;
}

function* faultsOf(operation: Operation, document: OpenApi, fits: Fits): Generator<string> {
  const { operationId, parameters, requestBody, responses } = operation;
  for (const { name, example } of parameters) {
    if (example === undefined) yield `${operationId}: no example of ${name}`;
  }
  for (const media of Object.values(requestBody?.content ?? {})) {
    yield* faultsOfMedia(`${operationId} body`, media, fits);
  }
  for (const [status, reference] of Object.entries(responses)) {
    const answer = resolved(document, reference);
    if (!answer) yield `${operationId} ${status}: leads nowhere`;
    for (const media of Object.values(answer?.content ?? {})) {
      yield* faultsOfMedia(`${operationId} ${status}`, media, fits);
    }
    if (Number(status) >= 400 && !answer?.content?.["application/problem+json"]) {
      yield `${operationId} ${status}: not a problem`;
    }
  }
  if (!Object.keys(responses).some((status) => Number(status) >= 400)) yield `${operationId}: no errors`;
}

/** All problems that keep a document from being published. */
export async function faultsOfDocument(document: OpenApi): Promise<readonly string[]> {
  const faults: string[] = [];
  if (JSON.stringify(document).includes('"nullable"')) faults.push("nullable is not part of OpenAPI 3.1");
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
  if (!valid) faults.push(`not OpenAPI 3.1: ${JSON.stringify(errors)}`);
  const operations = operationsOf(document);
  const ids = operations.map(({ operationId }) => operationId);
  if (ids.some((id) => !id) || new Set(ids).size < ids.length) faults.push("operationIds are not unique");
  const fits = fitsIn(document);
  for (const operation of operations) faults.push(...faultsOf(operation, document, fits));
  return faults;
}
