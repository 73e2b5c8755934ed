import { lineOfText } from "@hearth/contracts";
import type { Clock, Log } from "@hearth/runtime";
import type { SessionStore } from "../store.ts";
import type { FoundSession, UseNote } from "../records.ts";

/** The time of last use is written at most this often. */
export const NOTE_EVERY_MS = 5 * 60_000;

const deviceNameSchema = lineOfText(1, 64);

/**
 * AU5: records when sessions were last used, and with which device name. Notes are collected and written together, so
 * that thousands of clients that return at once cost one write. Losing a note is acceptable.
 */
export interface SessionUse {
  note(found: FoundSession, deviceName: string | undefined): void;
  readonly flush: () => Promise<void>;
}

export function createSessionUse(store: SessionStore, clock: Clock, log: Log): SessionUse {
  const notes = new Map<string, UseNote>();

  return {
    note: (found, deviceName) => {
      const pending = notes.get(found.id);
      const known = pending ? pending.deviceName : found.deviceName;
      const renamed =
        deviceName !== undefined && deviceName !== known && deviceNameSchema.safeParse(deviceName).success;
      const now = clock.now();
      if (!renamed && (pending || now - found.lastUsedAt < NOTE_EVERY_MS)) return;
      notes.set(found.id, {
        id: found.id,
        seenLastUsedAt: found.lastUsedAt,
        lastUsedAt: now,
        deviceName: renamed ? deviceName : known,
      });
    },

    flush: async () => {
      if (notes.size === 0) return;
      const batch = [...notes.values()];
      notes.clear();
      try {
        await store.noteUses(batch);
      } catch (error) {
        log.warn({ err: error, count: batch.length }, "the last use of sessions could not be written");
      }
    },
  };
}
