import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { faultsOfDocument } from "../build/openapi-checks.ts";
import type { OpenApi, Operation } from "../build/openapi-model.ts";
import { generateLocalApi, generatedFolder } from "../build/openapi.ts";
import document from "./generated/openapi.json" with { type: "json" };

const openApi = document as unknown as OpenApi;

describe("the generated files", () => {
  it("LA1 are up to date with the controllers", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "hearth-generated-"));
    try {
      await generateLocalApi(folder);
      const made = readdirSync(folder).toSorted();
      expect(made).toEqual(["openapi.json", "routes.ts"]);
      for (const name of made) {
        const committed = readFileSync(path.join(generatedFolder, name), "utf8");
        expect(committed).toBe(readFileSync(path.join(folder, name), "utf8"));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  it("LA1 the document is OpenAPI 3.1.1, with a relative server and the bearer scheme", () => {
    expect(openApi).toMatchObject({
      openapi: "3.1.1",
      servers: [{ url: "/" }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    });
    expect(JSON.stringify(openApi)).not.toContain("nullable");
  });

  it("LA1 let responses have more properties (interface 2.8)", () => {
    for (const schema of Object.values(openApi.components.schemas)) {
      if (schema.properties) expect(schema.additionalProperties).toBe(true);
    }
    expect(JSON.stringify(openApi)).not.toContain('"additionalProperties":false');
  });

  it("LA2 do not forbid limits and times that are clamped", () => {
    const schemaOf = (path: string, wanted: string) =>
      openApi.paths[path]?.["get"]?.parameters.find(({ name }) => name === wanted)?.schema;
    const page = "/api/rooms/{roomId}/messages";
    expect(schemaOf(page, "limit")).toEqual({ type: "integer", default: 100 });
    expect(schemaOf(page, "offset")).toMatchObject({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    expect(schemaOf(`${page}/since`, "sinceTimestamp")).toEqual({ type: "integer" });
  });

  it("LA1 use regular expressions that every dialect accepts", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(0);
    for (const [, text = ""] of patterns) {
      const pattern = JSON.parse(text) as string;
      expect(() => [new RegExp(pattern), new RegExp(pattern, "u")]).not.toThrow();
      expect(pattern).not.toMatch(/\\[pPuUkdDwWsSbB]|\(\?/);
    }
  });
});

describe("a document is published", () => {
  const health = (copy: OpenApi): Operation => {
    const operation = copy.paths["/api/health"]?.["get"];
    if (!operation) throw new Error("The document has no health");
    return operation;
  };
  const faulty = async (spoil: (copy: OpenApi) => void): Promise<string> => {
    const copy = structuredClone(openApi);
    spoil(copy);
    return (await faultsOfDocument(copy)).join("\n");
  };

  it("LA1 if nothing is wrong with it", async () => {
    await expect(faultsOfDocument(openApi)).resolves.toEqual([]);
  });

  it.each<[string, string, (copy: OpenApi) => void]>([
    [
      "with a nullable",
      "nullable is not part",
      (copy) => Object.assign(copy.components.schemas["Health"] ?? {}, { nullable: true }),
    ],
    ["that is not OpenAPI", "not OpenAPI 3.1", (copy) => Object.assign(copy.info, { title: 5 })],
    ["with an operationId twice", "not unique", (copy) => (health(copy).operationId = "login")],
    ["without an operationId", "not unique", (copy) => (health(copy).operationId = "")],
    [
      "without an example",
      "getHealth 200: no example",
      (copy) => {
        const answer = health(copy).responses["200"];
        if (answer && "content" in answer)
          Object.assign(answer, { content: { "application/json": { schema: {} } } });
      },
    ],
    [
      "with an example that does not fit",
      "getHealth 200: an example does not fit",
      (copy) =>
        Object.assign(copy.components.schemas["Health"]?.properties?.["version"] ?? {}, { type: "integer" }),
    ],
    [
      "without errors",
      "getHealth: no errors",
      (copy) => {
        const { responses } = health(copy);
        const fine = Object.entries(responses).filter(([status]) => Number(status) < 400);
        health(copy).responses = Object.fromEntries(fine);
      },
    ],
  ])("LA1 %s", async (_what, fault, spoil) => {
    expect(await faulty(spoil)).toContain(fault);
  });
});
