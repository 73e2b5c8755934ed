import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import path from "node:path";
import { dist, ensureBuilt } from "./parts.ts";

const ABSENT = `Hearth's window needs Electron's program, which is not installed. It does not come with Electron's npm package.

  Install it:         npx install-electron
                      (once; downloads about 120 MB)
  Without a window:   npm run desktop:headless -- --help
  In a browser:       npm start
`;

/** Electron's executable; importing the package would start a download. */
function electronProgram(): string | undefined {
  const folder = path.dirname(
    createRequire(new URL("../../shell/package.json", import.meta.url)).resolve("electron/package.json"),
  );
  const named = path.join(folder, "path.txt");
  if (!existsSync(named)) return undefined;
  const program = path.join(folder, "dist", readFileSync(named, "utf8").trim());
  return existsSync(program) ? program : undefined;
}

function open(program: string): void {
  const app = spawn(program, [path.join(dist, "main.mjs"), ...process.argv.slice(2)], { stdio: "inherit" });
  const forward = (signal: NodeJS.Signals): void => void app.kill(signal);
  process.on("SIGINT", forward).on("SIGTERM", forward);
  app.on("error", (error) => {
    process.stderr.write(`Electron could not be started (${error.message})\n`);
    process.exitCode = 1;
  });
  app.on("exit", (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
  });
}

/** `npm run desktop`: builds what is missing, then opens the window. */
const program = electronProgram();
if (program === undefined) {
  process.stderr.write(ABSENT);
  process.exitCode = 1;
} else {
  const parts = ["main", "preload", "renderer", "reference", "static-docs"] as const;
  await ensureBuilt(parts, (line) => process.stderr.write(`${line}\n`));
  open(program);
}
