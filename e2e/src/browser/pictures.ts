import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");
/** The screenshots that the documentation shows. */
const SHOWN = path.join(root, "docs/screens");

/** Saves pictures in a folder. */
export class Pictures {
  private readonly folder: string;
  private readonly isNamed: boolean;

  private constructor(folder: string, isNamed: boolean) {
    this.folder = folder;
    this.isNamed = isNamed;
  }

  /** The folder is the command's first argument, by default `data/screens`, which git ignores. */
  static async open(): Promise<Pictures> {
    const named = process.argv[2];
    const folder = path.resolve(root, named ?? "data/screens");
    await mkdir(folder, { recursive: true });
    return new Pictures(folder, named !== undefined);
  }

  /** Without an argument, a picture that exists in `docs/screens` is replaced there, too. */
  async save(name: string, picture: Buffer): Promise<void> {
    await writeFile(path.join(this.folder, name), picture);
    const shown = path.join(SHOWN, name);
    if (!this.isNamed && existsSync(shown)) await writeFile(shown, picture);
  }
}
