import { readFileSync } from "node:fs";
import path from "node:path";
import type { Rule } from "eslint";
import { composes, composition, isDomain, isEdgeOrTwin, technologies, zones } from "./boundaries.ts";

const workspaceOf = (file: string): string => file.split("/", 1)[0] ?? file;

function exportsOf(root: string, workspace: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(root, workspace, "package.json"), "utf8")) as {
    exports?: Record<string, unknown>;
  };
  return Object.keys(manifest.exports ?? {});
}

function violationOfPath(file: string, target: string): string | undefined {
  if (composes.test(file) && composition.test(target)) return undefined;
  if (workspaceOf(target) !== workspaceOf(file)) return "a path must not leave its workspace";
  if (isDomain(file) && isEdgeOrTwin(target)) return "the domain must not import an edge or a store's twin";
  return undefined;
}

function violationOfPackage(root: string, source: string, allowed: readonly string[]): string | undefined {
  const [, workspace = "", subpath = ""] = /^@hearth\/([^/]+)\/?(.*)$/.exec(source) ?? [];
  if (!allowed.includes(workspace)) return `${source} is not allowed here`;
  const wanted = subpath === "" ? "." : `./${subpath}`;
  return exportsOf(root, workspace).includes(wanted) ? undefined : `${source} is not exported`;
}

function violation(root: string, file: string, source: string): string | undefined {
  const allowed = zones.find((zone) => zone.files.test(file))?.mayImport ?? [];
  const hint = `${file} may import of ours: ${allowed.join(", ") || "nothing"}, by package name.`;
  let problem: string | undefined;
  if (source.startsWith("@hearth/")) problem = violationOfPackage(root, source, allowed);
  else if (/^[./]/.test(source))
    problem = violationOfPath(file, path.posix.join(path.posix.dirname(file), source));
  else if (isDomain(file) && technologies.test(source)) problem = `the domain must not name ${source}`;
  return problem && `${problem}; ${hint}`;
}

export const boundaries: Rule.RuleModule = {
  meta: {
    type: "problem",
    schema: [{ type: "object", properties: { root: { type: "string" } }, required: ["root"] }],
  },
  create(context) {
    const { root } = context.options[0] as { root: string };
    const file = path.relative(root, context.filename).split(path.sep).join("/");
    const check = (node: Rule.Node): void => {
      const { source } = node as { source?: { value?: unknown } | null };
      if (typeof source?.value !== "string") return;
      const message = violation(root, file, source.value);
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    };
  },
};
