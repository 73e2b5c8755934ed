import { setImmediate } from "node:timers/promises";
import { containsWords, searchWords } from "@hearth/device";
import type { DeviceMessage, DeviceRoom } from "@hearth/device";
import { hidingOf } from "@hearth/device";
import type { DeviceCalls } from "./database/calls.sqlite.ts";
import type { MessagePosition } from "../device-store.ts";
import type { HistoryReader } from "../history.ts";
import { MESSAGE, messagesOf } from "./messages/message-row.sqlite.ts";
import { END } from "./messages/positions.sqlite.ts";

/** How many messages are searched before other calls get a turn. */
const STEP = 500;

const OLDER = `(m.timestamp, m.id) < (:timestamp, :id) ORDER BY m.timestamp DESC, m.id DESC LIMIT ${STEP}`;

const isFound = ({ deletedAt, content }: DeviceMessage, words: readonly string[]): boolean =>
  deletedAt === null && containsWords(content, words);

export function historySearch({ prepare, query }: DeviceCalls): Pick<HistoryReader, "searchMessages"> {
  const everywhere = prepare(`SELECT ${MESSAGE} FROM messages m WHERE ${OLDER}`);
  const inRoom = prepare(`SELECT ${MESSAGE} FROM messages m WHERE m.room_id = :roomId AND ${OLDER}`);
  for (const statement of [everywhere, inRoom]) statement.setReturnArrays(true);
  const step = query(({ timestamp, id }: MessagePosition, roomId: string | undefined) =>
    messagesOf(
      roomId === undefined ? everywhere.all({ timestamp, id }) : inRoom.all({ timestamp, id, roomId }),
    ),
  );
  const rooms = prepare("SELECT id, signal_server_url AS signalServerUrl FROM rooms");
  const urls = query(() => rooms.all() as unknown as readonly Pick<DeviceRoom, "id" | "signalServerUrl">[]);
  return {
    async searchMessages({ text, roomId, limit, without = [] }) {
      const words = searchWords(text);
      const isHidden = hidingOf(without, await urls());
      const found: DeviceMessage[] = [];
      let from: MessagePosition | undefined = words.length > 0 ? END : undefined;
      while (from) {
        const messages: readonly DeviceMessage[] = await step(from, roomId);
        found.push(...messages.filter((message) => isFound(message, words) && !isHidden(message)));
        from = messages.length === STEP && found.length < limit ? messages.at(-1) : undefined;
        if (from) await setImmediate();
      }
      return found.slice(0, limit);
    },
  };
}
