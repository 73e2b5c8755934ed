import { access, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { AutoStartPort } from "../ports.ts";

/** Starts without showing the window. */
export const HIDDEN_ARGUMENT = "--hidden";

/** Quotes an argument of `Exec` (Desktop Entry Specification): backslash twice, `%` doubled, the rest escaped once. */
const quoted = (argument: string): string =>
  `"${argument.replaceAll("\\", "\\\\\\\\").replace(/["`$]/g, "\\\\$&").replaceAll("%", "%%")}"`;

/** No desktop entry can contain the program's path. */
const unusable: AutoStartPort = {
  isEnabled: async () => false,
  set: async () => {
    throw new Error("the path of the program has a line break");
  },
};

/** Linux has no login items: a desktop entry in the user's autostart folder replaces them. */
export function createAutoStartFile(configDirectory: string, command: readonly string[]): AutoStartPort {
  if (command.some((argument) => /[\r\n]/.test(argument))) return unusable;
  const file = path.join(configDirectory, "autostart", "hearth.desktop");
  const entry = [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Hearth",
    `Exec=${[...command, HIDDEN_ARGUMENT].map(quoted).join(" ")}`,
    "Terminal=false",
    "",
  ].join("\n");
  return {
    isEnabled: () =>
      access(file).then(
        () => true,
        () => false,
      ),
    async set(enabled) {
      if (!enabled) {
        await rm(file, { force: true });
        return;
      }
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, entry);
    },
  };
}
