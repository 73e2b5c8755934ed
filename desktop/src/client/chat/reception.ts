import type { DeviceMessage } from "../../device/records.ts";
import type { NewMessage } from "../../store/device-store.ts";
import type { ClientStore } from "../../store/history.ts";
import type { Incoming } from "../connection/connection.ts";
import { ClientProblem } from "../problem.ts";
import { chatWireSchema } from "../wire-schemas.ts";
import type { NewMention } from "./chat.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { createHeldChanges } from "./held-changes.ts";
import type { ToldChange } from "./held-changes.ts";
import { newMessageOf } from "./message-records.ts";
import type { NewsDesk } from "./news.ts";
import { mayChange } from "./rights.ts";
import { createRounds } from "./rounds.ts";
import { toldBy } from "./told.ts";
import type { Told } from "./told.ts";
import type { TypingBoard } from "./typing.ts";

export interface Reception {
  /** What a signaling server passed on. */
  receive(url: string, message: Incoming): void;
  /** Messages that were stored by somebody else: what waited for them can be judged now. */
  stored(messageIds: readonly string[]): void;
  onArrival(listener: (arrival: NewMention) => void): () => void;
  stop(): void;
}

const TYPES: ReadonlySet<string> = new Set(chatWireSchema.options.map(({ shape }) => shape.type.value));

/** All at once; where the store refuses something as it is, each by itself, so that one bad record harms no other. */
async function saveAll<Item>(
  items: readonly Item[],
  save: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await save(items);
  } catch (problem) {
    if (!(problem instanceof ClientProblem) || problem.code !== "INVALID_REQUEST") throw problem;
    if (items.length === 1) return;
    for (const item of items) await saveAll([item], save);
  }
}

/** Writes what comes over the sockets into the store, in batches, and says what is new. */
export function createReception(
  deps: ChatDeps,
  { news, typing }: { readonly news: NewsDesk; readonly typing: TypingBoard },
): Reception {
  const { store } = deps;
  const held = createHeldChanges();
  const listeners = new Set<(arrival: NewMention) => void>();
  /** Being written: a round that is repeated must still tell of them. */
  const untold = new Set<string>();

  async function unknownAmong(messages: readonly NewMessage[]): Promise<readonly NewMessage[]> {
    const first = new Map<string, NewMessage>();
    for (const message of messages) if (!first.has(message.id)) first.set(message.id, message);
    const judged = await Promise.all(
      [...first.values()].map(async (message) => {
        const known = await store.message(message.id);
        if (!known || untold.has(message.id)) return message;
        return isUndelivered(known) && isSame(known, message) ? newMessageOf(known, "sent") : null;
      }),
    );
    return judged.filter((message) => message !== null);
  }

  async function takeMessages(messages: readonly NewMessage[]): Promise<void> {
    const fresh = await unknownAmong(messages);
    for (const { id } of fresh) untold.add(id);
    await saveAll(fresh, (some) => store.saveMessages(some));
    tellOf(fresh);
    for (const message of fresh) {
      untold.delete(message.id);
      const room = chatRoom(deps, message.roomId);
      if (room && room.actorId !== message.senderId) await arrive(message, room.actorId);
    }
  }

  async function arrive({ id, roomId, channelId }: NewMessage, actorId: string): Promise<void> {
    if (listeners.size === 0) return;
    const message = await store.message(id);
    if (!message || message.deletedAt !== null) return;
    const isMention = message.mentions.includes(actorId);
    for (const listener of [...listeners]) listener({ place: { roomId, channelId }, message, isMention });
  }

  function tellOf(changed: readonly { readonly roomId: string; readonly id: string }[]): void {
    for (const [roomId, items] of Map.groupBy(changed, (item) => item.roomId))
      news.tell({ kind: "messages", roomId, messageIds: [...new Set(items.map(({ id }) => id))] });
  }

  async function allowed(change: ToldChange): Promise<boolean> {
    const room = chatRoom(deps, change.roomId);
    const message = await store.message(change.messageId);
    if (!message) held.hold(change);
    return room !== undefined && message !== undefined && mayChange(store, room, message, change);
  }

  async function takeChanges(told: readonly ToldChange[]): Promise<void> {
    const verdicts = await Promise.all(told.map(allowed));
    const changes = told.filter((_, index) => verdicts[index] === true);
    await writeChanges(store, changes);
    tellOf(changes.map(({ roomId, messageId }) => ({ roomId, id: messageId })));
  }

  const rounds = createRounds<Told | { readonly kind: "stored"; readonly messageIds: readonly string[] }>(
    deps.platform,
    async (items) => {
      const messages = items.filter((item) => item.kind === "message").map(({ message }) => message);
      await takeMessages(messages);
      const stored = items.flatMap((item) => (item.kind === "stored" ? item.messageIds : []));
      const released = held.take([...messages.map(({ id }) => id), ...stored]);
      const changes = items.filter((item) => item.kind === "change").map(({ change }) => change);
      try {
        await takeChanges([...released, ...changes]);
      } catch (problem) {
        for (const change of released) held.hold(change);
        throw problem;
      }
    },
  );

  return {
    receive(url, incoming) {
      if (!TYPES.has(incoming.type)) return;
      const { success, data: wire } = chatWireSchema.safeParse(incoming);
      if (!success || chatRoom(deps, wire.serverId)?.place.room.signalServerUrl !== url) return;
      if (wire.type === "user_typing") return typing.heard(wire);
      if (wire.type === "chat_message") typing.wrote(wire);
      rounds.add([toldBy(wire)]);
    },
    stored: (messageIds) => rounds.add([{ kind: "stored", messageIds }]),
    onArrival(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => rounds.stop(),
  };
}

const isUndelivered = ({ delivery }: DeviceMessage): boolean => delivery !== "sent";

const isSame = (known: DeviceMessage, message: NewMessage): boolean =>
  known.senderId === message.senderId && known.roomId === message.roomId;

async function writeChanges(store: ClientStore, changes: readonly ToldChange[]): Promise<void> {
  const edits = changes.filter((change) => change.kind === "edit").map(({ edit }) => edit);
  const removals = changes.filter((change) => change.kind === "removal").map(({ removal }) => removal);
  const reactions = changes.filter((change) => change.kind === "reaction").map(({ reaction }) => reaction);
  await saveAll(edits, (some) => store.editMessages(some));
  await saveAll(removals, (some) => store.removeMessages(some));
  await saveAll(reactions, (some) => store.changeReactions(some));
}
