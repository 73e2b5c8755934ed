import type { DeviceMessage } from "@hearth/device";
import type { MessagePosition } from "@hearth/store";
import type { ChannelRef, ClientStore, HistoryPage } from "@hearth/store";
import type { TimelineMessage } from "../chat.ts";
import type { MessageDetails } from "../message-details.ts";
import { comparePositions, positionOf } from "../message-position.ts";
import { belongs, windowOf, withChanged, withNewer, withOlder, withoutMoved } from "./timeline-window.ts";
import type { MessageWindow } from "./timeline-window.ts";

type Window = MessageWindow<TimelineMessage>;

export type WindowChange = (window: Window) => Promise<Window>;

export interface WindowReader {
  readonly empty: Window;
  newest(): Promise<Window>;
  /** The message at this position with its neighbours. */
  around(position: MessagePosition): Promise<Window>;
  older: WindowChange;
  newer: WindowChange;
  /** The window with the current records of these messages. */
  refreshed(window: Window, messageIds: ReadonlySet<string>): Promise<Window>;
}

const PAGE = 60;
const HALF_PAGE = 30;
const NO_PAGE = { messages: [], hasMore: false };

/** Reads windows of one channel from the store, messages with all details. */
export function windowReader(channel: ChannelRef, store: ClientStore, details: MessageDetails): WindowReader {
  const known = ({ messages }: Window): ReadonlyMap<string, DeviceMessage> =>
    new Map(messages.map((message) => [message.id, message]));

  const complete = async (
    { messages, hasMore }: HistoryPage,
    nearby: ReadonlyMap<string, DeviceMessage>,
  ) => ({
    messages: await details.of(messages, nearby),
    hasMore,
  });

  const isHere = (message: DeviceMessage | undefined): message is DeviceMessage =>
    message?.roomId === channel.roomId && message.channelId === channel.channelId;

  return {
    empty: { messages: [], hasOlder: false, hasNewer: false },
    async newest() {
      const page = await store.messagesBefore(channel, { limit: PAGE, before: null });
      return windowOf(await complete(page, new Map()), NO_PAGE);
    },
    async around(position) {
      const older = await store.messagesBefore(channel, { limit: HALF_PAGE, before: position });
      const newer = await store.messagesAfter(channel, { limit: PAGE, after: position });
      // Read last, so that a message that moved meanwhile does not appear twice.
      const message = await store.message(position.id);
      const isThere = isHere(message) && comparePositions(message, position) === 0;
      const middle = isThere ? [message] : [];
      const all = [...older.messages, ...middle, ...newer.messages];
      const nearby = new Map(all.map((it) => [it.id, it]));
      const behind = { messages: [...middle, ...newer.messages], hasMore: newer.hasMore };
      return windowOf(await complete(older, nearby), await complete(behind, nearby));
    },
    async older(window) {
      const [first] = window.messages;
      if (!first || !window.hasOlder) return window;
      const page = await store.messagesBefore(channel, { limit: PAGE, before: positionOf(first) });
      return withOlder(window, await complete(page, known(window)));
    },
    async newer(window) {
      const last = window.messages.at(-1);
      if (!last || !window.hasNewer) return window;
      const page = await store.messagesAfter(channel, { limit: PAGE, after: positionOf(last) });
      return withNewer(window, await complete(page, known(window)));
    },
    async refreshed(window, messageIds) {
      const stored = await Promise.all([...messageIds].map(async (id) => store.message(id)));
      const here = stored.filter(isHere);
      const settled = withoutMoved(window, here);
      if (settled.messages.length === 0 && (window.hasOlder || window.hasNewer)) return this.newest();
      const changed = here.filter((message) => belongs(settled, message));
      const answers = settled.messages.filter(
        ({ id, replyToId }) => replyToId !== null && messageIds.has(replyToId) && !messageIds.has(id),
      );
      const fresh = new Map([...known(settled), ...changed.map((message) => [message.id, message] as const)]);
      return withChanged(settled, await details.of([...changed, ...answers], fresh));
    },
  };
}
