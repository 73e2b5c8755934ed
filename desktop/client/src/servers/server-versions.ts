import type { Server } from "@hearth/contracts";

/** The newest version of each server that its instance reported since the start (rule DI8). */
export interface ServerVersions {
  of(url: string, roomId: string): number | undefined;
  /** Returns false for an older version. */
  note(url: string, server: Pick<Server, "id" | "version">): boolean;
}

export function createServerVersions(): ServerVersions {
  const versions = new Map<string, number>();
  const keyOf = (url: string, roomId: string): string => `${url} ${roomId}`;
  return {
    of: (url, roomId) => versions.get(keyOf(url, roomId)),
    note(url, { id, version }) {
      const key = keyOf(url, id);
      if ((versions.get(key) ?? 0) > version) return false;
      versions.set(key, version);
      return true;
    },
  };
}
