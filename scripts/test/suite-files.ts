import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

interface Project {
  readonly displayName: string;
  readonly testMatch: readonly string[];
  readonly testPathIgnorePatterns: readonly string[];
}

const root = path.dirname(path.dirname(import.meta.dirname));
const suites = path.join(root, "e2e/suites");

/** The end-to-end suites of each project of `jest.config.mjs`, by room and name, such as `sockets/voice`. */
export async function suitesByProject(): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = pathToFileURL(path.join(root, "jest.config.mjs")).href;
  const { default: config } = (await import(file)) as { default: { projects: readonly Project[] } };
  const files = globSync("**/*.test.ts", { cwd: suites }).map((name) => path.join(suites, name));
  const has = ({ testMatch, testPathIgnorePatterns }: Project, name: string): boolean =>
    testMatch.some((glob) => path.matchesGlob(name, glob.replace("<rootDir>", root))) &&
    !testPathIgnorePatterns.some((pattern) => new RegExp(pattern.replace("<rootDir>", root)).test(name));
  return new Map(
    config.projects.map((project) => [
      project.displayName,
      files
        .filter((name) => has(project, name))
        .map((name) => path.relative(suites, name).replace(/\.test\.ts$/, "")),
    ]),
  );
}
