import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const PAGES = path.resolve(import.meta.dirname, "../../../docs");

interface Tool {
  readonly label: string;
  /** Tools that the recipe needs. */
  readonly needs: string;
  readonly extension: string;
  readonly command: string;
  /** A command that exits with 0 if its recipes can run. */
  readonly probe: readonly [string, ...string[]];
}

/** `-w '%header{…}'` needs curl 7.84. */
const CURL = `command -v jq && curl --version | head -1 | awk '{ split($2, v, "."); exit !(v[1] > 7 || v[2] >= 84) }'`;

export const TOOLS: readonly Tool[] = [
  { label: "curl", needs: "jq and curl 7.84", extension: "sh", command: "bash", probe: ["bash", "-c", CURL] },
  { label: "Python", needs: "python3", extension: "py", command: "python3", probe: ["python3", "--version"] },
  {
    label: "JavaScript",
    needs: "Node",
    extension: "mjs",
    command: process.execPath,
    probe: [process.execPath, "--version"],
  },
];

export const isHere = ({ probe: [command, ...args] }: Tool): boolean => spawnSync(command, args).status === 0;

/** The code under a tool's name on a documentation page. */
export function codeOf(page: string, { label }: Tool): string {
  const text = readFileSync(path.join(PAGES, `${page}.md`), "utf8");
  const [, code] = new RegExp(`^\`\`\`\\w+ \\[${label}\\]\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text) ?? [];
  if (code === undefined) throw new Error(`${page} has no code for ${label}`);
  return code;
}

export interface RecipeRun {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  /** Resolves when the output contains the text; rejects if the program exits without it. */
  readonly until: (text: string) => Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Saves the code under the name in its first lines, and runs it as they say. */
export function startRecipe(
  folder: string,
  page: string,
  tool: Tool,
  variables: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): RecipeRun {
  const code = codeOf(page, tool);
  const [, name] = /^(?:#|\/\/) (?:bash|python3|node) (\S+)/m.exec(code) ?? [];
  if (name === undefined || !name.endsWith(`.${tool.extension}`)) throw new Error(`${page}: no name`);
  const file = path.join(folder, name);
  writeFileSync(file, code);
  const set = Object.entries({ ...variables, NO_PROXY: "127.0.0.1" }).map(
    ([key, value]) => `${key}=${value}`,
  );
  const child = spawn("env", [...set, tool.command, file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  const ended: RecipeRun["ended"] = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit) => resolve({ code: exit, stdout, stderr }));
  });
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!stdout.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`The program ended without "${text}": ${stdout}${stderr}`)));
    });
  return { process: child, stdout: () => stdout, until, ended };
}
