import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { generateRoutes, generateSpec } from "tsoa";
import type { ExtendedRoutesConfig, ExtendedSpecConfig } from "tsoa";

const api = path.join(path.dirname(import.meta.dirname), "src");

/** The numbers are enum values of the TypeScript compiler; tsoa passes them on. */
const compilerOptions = {
  experimentalDecorators: true,
  module: 199,
  moduleResolution: 99,
  target: 99,
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

const shared = {
  entryFile: path.join(api, "create-local-api.ts"),
  // A list of files instead of a pattern, because the order within a folder differs between systems.
  controllerPathGlobs: readdirSync(path.join(api, "controllers"))
    .filter((name) => name.endsWith("-controller.ts"))
    .toSorted()
    .map((name) => path.join(api, "controllers", name)),
  noImplicitAdditionalProperties: "ignore",
} as const;

const spec = (outputDirectory: string): ExtendedSpecConfig => ({
  ...shared,
  outputDirectory,
  specFileBaseName: "openapi",
  specVersion: 3,
  operationIdTemplate: "{{method.name}}",
  name: "Hearth local API",
  version: "0.0.0",
  securityDefinitions: { bearer: { type: "http", scheme: "bearer" } },
});

const routes = (routesDir: string): ExtendedRoutesConfig => ({
  ...shared,
  routesDir,
  routesFileName: "routes.ts",
  middleware: "express",
  bodyCoercion: false,
  esm: true,
  rewriteRelativeImportExtensions: true,
  iocModule: path.join(api, "http", "container.ts"),
  authenticationModule: path.join(api, "http", "authentication.ts"),
});

/** Cleans tsoa's output: repeated warnings, needless compiler directives, and an `undefined` option. */
const tidied = (source: string): string =>
  source
    .replaceAll(/^\s*\/\/ WARNING.*\n(?!import type \{ TsoaRoute)/gm, "")
    .replaceAll(/^\/\/ @ts-ignore.*\n/gm, "")
    .replaceAll(/^\s*successStatus: undefined,\n/gm, "");

export interface TsoaOutput {
  /** The source of `routes.ts`. */
  readonly routes: string;
  /** An OpenAPI 3.0 document. */
  readonly document: unknown;
}

/**
 * Runs tsoa on the controllers. Its imports are relative to its output, so it works in a temporary folder beside the
 * controllers.
 */
export async function runTsoa(): Promise<TsoaOutput> {
  const folder = mkdtempSync(path.join(api, ".tsoa-"));
  try {
    const metadata = await generateSpec(spec(folder), compilerOptions);
    await generateRoutes(routes(folder), compilerOptions, undefined, metadata);
    const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");
    return { routes: tidied(read("routes.ts")), document: JSON.parse(read("openapi.json")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
