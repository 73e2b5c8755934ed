import { readFileSync } from "node:fs";
import path from "node:path";
import type { Rule } from "eslint";
import {
  adaptsElectron,
  composes,
  composition,
  electron,
  isDomain,
  isEdgeOrTwin,
  mayImportAdapter,
  mayNameElectron,
  technologies,
  zones,
} from "./boundaries.ts";

const workspaceOf = (file: string): string => /^(desktop\/)?[^/]+/.exec(file)?.[0] ?? file;

/** Folders whose packages are not named like them. */
const folders: Readonly<Record<string, string>> = { "desktop-tools": "desktop/tools" };
const inDesktop = ["device", "store", "bridge", "client", "renderer", "local-api", "shell", "headless"];
const folderOf = (name: string): string =>
  folders[name] ?? (inDesktop.includes(name) ? `desktop/${name}` : name);

function exportsOf(root: string, name: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(root, folderOf(name), "package.json"), "utf8")) as {
    exports?: Record<string, unknown>;
  };
  return Object.keys(manifest.exports ?? {});
}

function violationOfPath(file: string, target: string): string | undefined {
  if (composes.test(file) && composition.test(target)) return undefined;
  if (workspaceOf(target) !== workspaceOf(file)) return "a path must not leave its workspace";
  if (isDomain(file) && isEdgeOrTwin(target)) return "the domain must not import an edge or a store's twin";
  if (adaptsElectron.test(target) && !mayImportAdapter(file))
    return "only the shell's main.ts may import an adapter of Electron";
  return undefined;
}

function violationOfPackage(root: string, source: string, allowed: readonly string[]): string | undefined {
  const [, workspace = "", subpath = ""] = /^@hearth\/([^/]+)\/?(.*)$/.exec(source) ?? [];
  if (!allowed.includes(workspace) && !allowed.includes(`${workspace}/${subpath}`))
    return `${source} is not allowed here`;
  const wanted = subpath === "" ? "." : `./${subpath}`;
  const isExported = exportsOf(root, workspace).some((entry) =>
    entry.endsWith("/*") ? wanted.startsWith(entry.slice(0, -1)) : entry === wanted,
  );
  return isExported ? undefined : `${source} is not exported`;
}

interface Import {
  readonly source: string;
  /** Leaves nothing behind when the types are stripped. */
  readonly isType: boolean;
}

function violation(root: string, file: string, { source, isType }: Import): string | undefined {
  const allowed = zones.find((zone) => zone.files.test(file))?.mayImport ?? [];
  const hint = `${file} may import of ours: ${allowed.join(", ") || "nothing"}, by package name.`;
  let problem: string | undefined;
  if (source.startsWith("@hearth/")) problem = violationOfPackage(root, source, allowed);
  else if (/^[./]/.test(source))
    problem = violationOfPath(file, path.posix.join(path.posix.dirname(file), source));
  else if (isDomain(file) && technologies.test(source)) problem = `the domain must not name ${source}`;
  else if (electron.test(source) && !isType && !mayNameElectron(file))
    problem = "only an adapter (*.electron.ts) may import more of Electron than types";
  return problem && `${problem}; ${hint}`;
}

/** What the checked nodes have in common. */
interface Statement {
  readonly type: string;
  readonly source?: { readonly value?: unknown } | null;
  readonly importKind?: "type" | "value";
  readonly exportKind?: "type" | "value";
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
      const { source, type, importKind, exportKind } = node as unknown as Statement;
      if (typeof source?.value !== "string") return;
      const isType = type === "TSImportType" || importKind === "type" || exportKind === "type";
      const message = violation(root, file, { source: source.value, isType });
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
