import type { Clock } from "@hearth/runtime";
import { compareText } from "@hearth/device";
import type { StoreUnderTest } from "./device-records.contract.ts";
import { ROOM } from "./device-records.contract.ts";
import type { MessagePosition } from "../device-store.ts";
import type { ChannelRef, ClientStore, HistoryReader, FullMessage } from "../history.ts";

export interface HistoryUnderTest extends StoreUnderTest, Pick<ClientStore, "eraseAll"> {
  readonly history: HistoryReader;
}

/** Opens an empty store. */
export type OpenHistory = (clock: Clock) => Promise<HistoryUnderTest>;

export const GENERAL: ChannelRef = { roomId: ROOM, channelId: "channel-1" };
export const OTHER: ChannelRef = { roomId: ROOM, channelId: "channel-2" };
export const WHOLE: ChannelRef = { roomId: ROOM, channelId: null };

export const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

export const byPosition = (a: MessagePosition, b: MessagePosition): number =>
  a.timestamp - b.timestamp || compareText(a.id, b.id);

export const positionOf = ({ timestamp, id }: MessagePosition): MessagePosition => ({ timestamp, id });

type LorePosition = Parameters<HistoryReader["fullMessages"]>[1]["after"];

/** All full messages of the room after a position, in pages. */
export async function allFullMessages(
  history: HistoryReader,
  after: LorePosition,
  limit: number,
): Promise<readonly FullMessage[]> {
  const { messages, next } = await history.fullMessages(ROOM, { after, limit });
  return next ? [...messages, ...(await allFullMessages(history, next, limit))] : messages;
}
