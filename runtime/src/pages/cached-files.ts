import { readFile, stat } from "node:fs/promises";
import path from "node:path";

/** A file in memory, with the marks of its version. */
export interface CachedFile {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly lastModified: string;
}

interface Version {
  readonly mtimeMs: number;
  readonly size: number;
  readonly file: Promise<CachedFile>;
}

export const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;

/** No dotfiles, no `..`, and no characters that a file system could interpret. */
const PLAIN_PATH = /^(?:\/[\w@][\w@.+-]*)+$/;

/** The path of a file below a folder; null for a path that only `send` may interpret. */
function plainPath(asked: string): string | null {
  try {
    const normal = path.posix.normalize(decodeURIComponent(asked));
    return PLAIN_PATH.test(normal) ? normal : null;
  } catch {
    return null;
  }
}

/**
 * Keeps the small files of a folder in memory (rule AB2), so that a response that the client does not read holds neither an
 * open file nor a copy. A changed file is read again.
 */
export class CachedFiles {
  readonly #root: string;
  readonly #versions = new Map<string, Version>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Null for a file that does not exist, is not a plain file or is too large to keep. */
  async find(asked: string): Promise<CachedFile | null> {
    const wanted = plainPath(asked);
    if (wanted === null) return null;
    const name = path.join(this.#root, wanted);
    const stats = await stat(name).catch(() => null);
    const known = this.#versions.get(name);
    if (known && stats?.mtimeMs === known.mtimeMs && stats.size === known.size) return known.file;
    if (known) this.#forget(name, known);
    if (!stats?.isFile() || stats.size > MAX_CACHED_BYTES) return null;
    return this.#bytes + stats.size > MAX_TOTAL_BYTES ? null : this.#keep(name, stats);
  }

  async #keep(
    name: string,
    { mtime, mtimeMs, size }: Readonly<Record<"mtimeMs" | "size", number>> & { mtime: Date },
  ) {
    const etag = `W/"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
    const file = readFile(name).then((bytes) => ({ bytes, etag, lastModified: mtime.toUTCString() }));
    const version = { mtimeMs, size, file };
    this.#versions.set(name, version);
    this.#bytes += size;
    file.catch(() => this.#forget(name, version));
    return file;
  }

  #forget(name: string, version: Version): void {
    if (this.#versions.get(name) !== version) return;
    this.#versions.delete(name);
    this.#bytes -= version.size;
  }
}
