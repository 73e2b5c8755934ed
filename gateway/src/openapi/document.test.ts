import { describe, expect, it } from "@jest/globals";
import { ERRORS, allRoutes } from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { z } from "zod";
import { openApiDocument, templateOf } from "./document.ts";
import { EXAMPLES, PARAMETERS } from "./examples.ts";
import { problemSchema } from "./problem.ts";
import { errorsOf } from "./responses.ts";
import { nameSchemas } from "./schemas.ts";

type Tree = { readonly [key: string]: Tree };

const document = JSON.parse(JSON.stringify(openApiDocument("1.2.3"))) as Tree;
const routes = allRoutes.map((route): [string, RouteContract] => [route.operationId, route]);
const names = nameSchemas(allRoutes);
const nameOf = (schema: z.ZodType | undefined): string => (schema && names.get(schema)) ?? "";

const at = (tree: unknown, ...path: readonly string[]): Tree =>
  path.reduce<Tree>((place, key) => {
    const next = place[key];
    if (next === undefined) throw new Error(`There is no ${key} of ${path.join(" ")}`);
    return next;
  }, tree as Tree);

const resolve = (node: Tree): Tree => {
  const reference = node["$ref"] as unknown;
  return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : node;
};
const operationOf = (route: RouteContract): Tree =>
  at(document, "paths", templateOf(route.path), route.method);

function everyReference(node: unknown, found: string[] = []): string[] {
  if (typeof node !== "object" || node === null) return found;
  for (const [key, value] of Object.entries(node)) {
    if (key === "$ref" && typeof value === "string") found.push(value);
    else everyReference(value, found);
  }
  return found;
}

describe("the OpenAPI document", () => {
  it("GW1 is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document["openapi"]).toMatch(/^3\.1\./);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it("has every route and nothing else, each operationId once", () => {
    const described = Object.entries(at(document, "paths")).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const expected = allRoutes.map(({ method, path }) => `${method} ${templateOf(path)}`);
    expect(described.toSorted()).toEqual(expected.toSorted());
    const ids = allRoutes.map((route) => operationOf(route)["operationId"]);
    expect(new Set(ids).size).toBe(allRoutes.length);
  });

  it("has no dangling reference", () => {
    for (const reference of everyReference(document)) {
      expect(() => at(document, ...reference.slice(2).split("/"))).not.toThrow();
    }
  });

  it.each(routes)("describes %s: token, parameters, body, answer and every error", (_id, route) => {
    const operation = operationOf(route);
    expect(operation).toMatchObject({ tags: [route.tag], summary: route.summary });
    const security = operation["security"] as unknown as object[];
    expect(security.some((each) => "bearer" in each)).toBe(route.auth !== "none");
    expect(security.some((each) => Object.keys(each).length === 0)).toBe(route.auth === "optional");

    const parameters = operation["parameters"] as unknown as { name: string; in: string; schema: unknown }[];
    const inPath = parameters.filter((each) => each.in === "path").map(({ name }) => name);
    expect(inPath).toEqual([...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]));
    for (const { name, schema } of parameters) {
      expect(PARAMETERS).toHaveProperty(name);
      expect(schema).not.toEqual({});
    }
    expect("requestBody" in operation).toBe(route.body !== undefined);

    const responses = at(operation, "responses");
    const statuses = [...errorsOf(route).keys(), route.success.status].map(String).toSorted();
    expect(Object.keys(responses).toSorted()).toEqual(statuses);
    for (const [status, codes] of errorsOf(route)) {
      const response = resolve(at(responses, String(status)));
      const media = at(response, "content", "application/problem+json");
      expect(media["schema"]).toEqual({ $ref: "#/components/schemas/Problem" });
      expect(Object.keys(at(media, "examples")).toSorted()).toEqual([...codes].toSorted());
    }
  });

  it("has the errors and headers of rules ER4 and ER5", () => {
    const logout = allRoutes.find(({ operationId }) => operationId === "logout");
    const responses = at(operationOf(logout as RouteContract), "responses");
    const headersOf = (status: string) => Object.keys(at(resolve(at(responses, status)), "headers"));
    expect(headersOf("401")).toContain("WWW-Authenticate");
    expect(headersOf("429")).toEqual(
      expect.arrayContaining(["Retry-After", "RateLimit", "RateLimit-Policy"]),
    );
    expect(headersOf("204")).toContain("X-Request-Id");
  });

  it("GW1 describes a limit as an integer, not as text", () => {
    const list = allRoutes.find(({ operationId }) => operationId === "listServers");
    const parameters = operationOf(list as RouteContract)["parameters"] as unknown as { name: string }[];
    expect(parameters.find(({ name }) => name === "limit")).toMatchObject({
      required: false,
      schema: { type: "integer" },
    });
  });

  it("GW1 has only regular expressions that every dialect supports", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(10);
    for (const [, text = ""] of patterns) {
      const pattern = JSON.parse(text) as string;
      expect(() => [new RegExp(pattern), new RegExp(pattern, "u")]).not.toThrow();
      expect(pattern).not.toMatch(/\\[pPuU]\{|\(\?</);
    }
  });
});

const fits = (schema: z.ZodType | undefined, example: unknown): unknown =>
  schema?.safeParse(example).error?.issues;

describe("the examples", () => {
  const withBody = routes.filter(([, { body }]) => body);
  it.each(withBody)("of the body of %s is valid", (_id, route) => {
    const name = nameOf(route.body);
    expect(Object.keys(EXAMPLES)).toContain(name);
    expect(fits(route.body, EXAMPLES[name])).toBeUndefined();
  });

  const withAnswer = routes.filter(([, { success }]) => success.schema);
  it.each(withAnswer)("of the response of %s is valid", (_id, route) => {
    const name = nameOf(route.success.schema);
    expect(Object.keys(EXAMPLES)).toContain(name);
    expect(fits(route.success.schema, EXAMPLES[name])).toBeUndefined();
  });

  it.each(routes.filter(([, { params }]) => params))("of the parameters of %s are valid", (_id, route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const example = Object.fromEntries(names.map((name) => [name, PARAMETERS[name]?.example]));
    expect(fits(route.params, example)).toBeUndefined();
  });

  it("ER1 of errors are problems with the status of their code", () => {
    const responses = Object.values(at(document, "components", "responses"));
    const problems = responses.flatMap((response) =>
      Object.values(at(response, "content", "application/problem+json", "examples")).map(
        ({ value }) => value,
      ),
    );
    expect(problems.length).toBeGreaterThan(10);
    for (const problem of problems) {
      const parsed = problemSchema.parse(problem);
      expect(parsed.status).toBe(ERRORS[parsed.code].status);
    }
  });
});
