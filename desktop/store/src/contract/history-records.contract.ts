import type { Clock } from "@hearth/runtime";
import { compareText } from "@hearth/device";
import type { StoreUnderTest } from "./device-records.contract.ts";
import { ROOM } from "./device-records.contract.ts";
import type { MessagePosition } from "../device-store.ts";
import type { ChannelPlace, ClientStore, HistoryReader, MessageLore } from "../history.ts";

export interface HistoryUnderTest extends StoreUnderTest, Pick<ClientStore, "eraseAll"> {
  readonly history: HistoryReader;
}

/** Opens an empty store. */
export type OpenHistory = (clock: Clock) => Promise<HistoryUnderTest>;

export const GENERAL: ChannelPlace = { roomId: ROOM, channelId: "channel-1" };
export const OTHER: ChannelPlace = { roomId: ROOM, channelId: "channel-2" };
export const WHOLE: ChannelPlace = { roomId: ROOM, channelId: null };

export const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

export const byPlace = (a: MessagePosition, b: MessagePosition): number =>
  a.timestamp - b.timestamp || compareText(a.id, b.id);

export const positionOf = ({ timestamp, id }: MessagePosition): MessagePosition => ({ timestamp, id });

type LorePosition = Parameters<HistoryReader["lore"]>[1]["after"];

/** Everything that is told of the room behind a position, in pages of a size. */
export async function allLore(
  history: HistoryReader,
  after: LorePosition,
  limit: number,
): Promise<readonly MessageLore[]> {
  const { lore, next } = await history.lore(ROOM, { after, limit });
  return next ? [...lore, ...(await allLore(history, next, limit))] : lore;
}
