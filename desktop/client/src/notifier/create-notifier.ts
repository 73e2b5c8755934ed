import { channelKey } from "../chat/chat.ts";
import type { Chat, NewMention } from "../chat/chat.ts";
import type { Servers } from "../servers/servers.ts";
import type { Platform } from "../ports.ts";
import type { Preferences } from "../preferences/preferences.ts";
import { isWanted, wasRead } from "./notify-decision.ts";
import { createTabArrivals } from "./tab-arrivals.ts";

/** Messages this soon after the first one of a room are notified together, unless they are read meanwhile. */
const GATHER_MS = 1_000;
const SOUND_PAUSE_MS = 5_000;
const MAX_ARRIVALS = 50;

/** The unread messages of one room, oldest first. */
export interface NotificationSubject {
  readonly roomName: string;
  readonly arrivals: readonly NewMention[];
}

export interface NotifierDependencies {
  readonly platform: Pick<Platform, "notifications" | "tabs" | "attention" | "later" | "now" | "newId">;
  readonly chat: Pick<Chat, "state" | "onArrival">;
  readonly servers: Pick<Servers, "state">;
  readonly preferences: Pick<Preferences, "state">;
  /** AB12: no notifications about blocked users. */
  readonly isBlocked: (signalServerUrl: string, userId: string) => boolean;
  readonly words: (subject: NotificationSubject) => { readonly title: string; readonly body: string };
  /** Called with a shown notification, if the user wants sounds. */
  readonly playSound: () => void;
}

/** Notifies about new messages while the user looks elsewhere, once for all tabs of a browser. */
export interface Notifier {
  start(): void;
  stop(): void;
}

/** Candidates for a notification of one room. */
class RoomNotice {
  arrivals: readonly NewMention[] = [];
  cancelDue: (() => void) | null = null;
  takeAway: (() => void) | null = null;

  add(arrival: NewMention): void {
    if (this.arrivals.some(({ message }) => message.id === arrival.message.id)) return;
    this.arrivals = [...this.arrivals, arrival].slice(-MAX_ARRIVALS);
  }

  end(): void {
    this.cancelDue?.();
    this.takeAway?.();
    this.cancelDue = null;
    this.takeAway = null;
  }
}

class TabNotifier implements Notifier {
  readonly #deps: NotifierDependencies;
  readonly #notices = new Map<string, RoomNotice>();
  #endings: (() => void)[] = [];
  #lastSoundAt = -Infinity;
  /** One tab notifies for all. The others keep arrivals in case they take over. */
  #isChosen = false;

  constructor(dependencies: NotifierDependencies) {
    this.#deps = dependencies;
  }

  start(): void {
    const { platform, chat } = this.#deps;
    const stopped = new AbortController();
    const tabs = createTabArrivals(platform, (arrival) => this.#arrived(arrival, tabs.isLookedAt));
    this.#endings = [
      chat.onArrival((arrival) => {
        tabs.tell(arrival);
        this.#arrived(arrival, tabs.isLookedAt);
      }),
      chat.state.subscribe(() => this.#takeAwayRead()),
      () => tabs.stop(),
      () => stopped.abort(),
    ];
    const untilStopped = async (): Promise<void> => {
      this.#isChosen = true;
      await new Promise((resolve) => stopped.signal.addEventListener("abort", resolve, { once: true }));
    };
    void platform.tabs.exclusive("notifier", untilStopped, stopped.signal).catch(() => undefined);
  }

  stop(): void {
    for (const end of this.#endings.splice(0)) end();
    for (const notice of this.#notices.values()) notice.end();
    this.#notices.clear();
    this.#isChosen = false;
  }

  #arrived(arrival: NewMention, isLookedAt: () => Promise<boolean>): void {
    const { platform, servers, preferences } = this.#deps;
    const { roomId } = arrival.channel;
    const server = servers.state.getState().servers.get(roomId);
    if (!isWanted(arrival, server, preferences.state.getState()) || this.#isBlocked(arrival)) return;
    const notice = this.#notices.get(roomId) ?? new RoomNotice();
    this.#notices.set(roomId, notice);
    notice.add(arrival);
    notice.cancelDue ??= platform.later(GATHER_MS, () => {
      notice.cancelDue = null;
      void this.#due(roomId, notice, isLookedAt);
    });
  }

  /** No notification for what the user sees, or reads on any device within the delay. */
  async #due(roomId: string, notice: RoomNotice, isLookedAt: () => Promise<boolean>): Promise<void> {
    const { platform, servers, preferences } = this.#deps;
    if (!this.#isChosen) return;
    if (await isLookedAt()) {
      this.#forget(roomId, notice);
      return;
    }
    const room = servers.state.getState().servers.get(roomId)?.room;
    notice.arrivals = this.#unread(notice.arrivals).filter((arrival) => !this.#isBlocked(arrival));
    const newest = notice.arrivals.at(-1);
    if (!room || !newest || this.#notices.get(roomId) !== notice) return;
    if (platform.notifications.level() !== "granted") return;
    const { title, body } = this.#deps.words({ roomName: room.name, arrivals: notice.arrivals });
    const { signalServerUrl } = room;
    const target = { signalServerUrl, roomId, messageId: newest.message.id };
    notice.takeAway = platform.notifications.show({ title, body, tag: `room:${roomId}`, target });
    if (preferences.state.getState().sound) this.#playSound();
  }

  #isBlocked({ channel: { roomId }, message }: NewMention): boolean {
    const room = this.#deps.servers.state.getState().servers.get(roomId)?.room;
    return room !== undefined && this.#deps.isBlocked(room.signalServerUrl, message.senderId);
  }

  #playSound(): void {
    const now = this.#deps.platform.now();
    if (now - this.#lastSoundAt < SOUND_PAUSE_MS) return;
    this.#lastSoundAt = now;
    this.#deps.playSound();
  }

  #unread(arrivals: readonly NewMention[]): readonly NewMention[] {
    const { activity } = this.#deps.chat.state.getState();
    return arrivals.filter((arrival) => !wasRead(arrival, activity.get(channelKey(arrival.channel))));
  }

  #takeAwayRead(): void {
    for (const [roomId, notice] of this.#notices)
      if (notice.cancelDue === null && this.#unread(notice.arrivals).length === 0)
        this.#forget(roomId, notice);
  }

  #forget(roomId: string, notice: RoomNotice): void {
    notice.end();
    if (this.#notices.get(roomId) === notice) this.#notices.delete(roomId);
  }
}

export const createNotifier = (dependencies: NotifierDependencies): Notifier => new TabNotifier(dependencies);
