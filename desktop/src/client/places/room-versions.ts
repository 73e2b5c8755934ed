import type { Server } from "@hearth/contracts";

/** The newest version of each server of chat that was seen since the start (rule DI8). */
export interface RoomVersions {
  of(roomId: string): number | undefined;
  /** False for a word that is older than one that came before it. */
  note(server: Pick<Server, "id" | "version">): boolean;
}

export function createRoomVersions(): RoomVersions {
  const versions = new Map<string, number>();
  return {
    of: (roomId) => versions.get(roomId),
    note({ id, version }) {
      if ((versions.get(id) ?? 0) > version) return false;
      versions.set(id, version);
      return true;
    },
  };
}
