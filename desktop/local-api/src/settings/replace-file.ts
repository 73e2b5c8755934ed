import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the rename durable; not every system can open a folder for that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/**
 * Replaces a file atomically: readers see the old or the new text, even after a power loss. Only the owner may read
 * it.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const next = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(next, "wx", 0o600);
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}
