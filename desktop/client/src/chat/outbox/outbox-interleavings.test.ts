import { describe, expect, it } from "@jest/globals";
import { compareText } from "@hearth/device";
import type { ChannelRef, ClientStore } from "@hearth/store";
import type { Incoming } from "../../connection/connection.ts";
import { ClientProblem } from "@hearth/device";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import { createChatServer } from "../testing/chat-server.ts";
import type { ChatServer, Fate } from "../testing/chat-server.ts";
import { ASIDE, GENERAL, startedChatter } from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";
import { fc } from "@hearth/device/testing";

const CHANNELS = [GENERAL, ASIDE];

type Command =
  | { readonly do: "write"; readonly tab: number; readonly channel: number }
  | { readonly do: "edit" | "react" | "remove"; readonly tab: number; readonly which: number }
  | { readonly do: "online" | "offline" | "restart"; readonly tab: number }
  | { readonly do: "settle" }
  | { readonly do: "wait"; readonly seconds: number };

const tab = fc.nat({ max: 1 });
const commands = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant("write" as const), tab, channel: fc.nat({ max: 1 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom("edit", "react", "remove"),
        tab,
        which: fc.nat({ max: 9 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("online", "offline", "restart"), tab }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("settle" as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.nat({ max: 45 }) }) },
  ),
  { minLength: 5, maxLength: 40 },
);
const fates = fc.array(
  fc.constantFrom(
    "ack",
    "ack",
    "ack",
    "breaks-before",
    "breaks-after",
    "no-answer",
    "RATE_LIMITED",
    "UNAVAILABLE",
  ),
  { maxLength: 40 },
);

interface Heard {
  readonly channelId: string | null;
  readonly content: string;
  readonly sentAt: number;
}

type Relayed = Extract<Incoming, { readonly type: "chat_message" }>;

/** A user with two tabs over one store, and a listener who is always online. */
class Scene {
  readonly server: ChatServer;
  readonly listener: Chatter;
  readonly store: ClientStore;
  readonly heard = new Map<string, Heard>();
  readonly written: { readonly channel: ChannelRef; readonly content: string }[] = [];
  private readonly tabs: Chatter[];
  private readonly fate: () => Fate;

  private constructor(server: ChatServer, listener: Chatter, tabs: Chatter[], fate: () => Fate) {
    this.server = server;
    this.listener = listener;
    this.tabs = tabs;
    this.store = this.tab(0).store;
    this.fate = fate;
    for (const { seat } of tabs) seat.fate = fate;
    listener.deps.connections.on((_, incoming) => {
      if (incoming.type === "chat_message") this.hear(incoming);
    });
  }

  static async open(fate: () => Fate): Promise<Scene> {
    const device = createFakeDevice(createFakeClock());
    const server = createChatServer(device.clock);
    const elsewhere = createFakePlatform({ device: createFakeDevice(device.clock) });
    const listener = await startedChatter(server, { userId: "bob", platform: elsewhere });
    const first = await startedChatter(server, {
      userId: "ada",
      platform: createFakePlatform({ device }),
    });
    const { store } = first;
    const second = await startedChatter(server, {
      ...{ userId: "ada", store, instanceId: "other", platform: createFakePlatform({ device }) },
    });
    return new Scene(server, listener, [first, second], fate);
  }

  tab(index: number): Chatter {
    const chatter = this.tabs[index];
    if (!chatter) throw new Error("There is no such tab");
    return chatter;
  }

  async run(command: Command): Promise<void> {
    switch (command.do) {
      case "write":
        return this.write(this.tab(command.tab), CHANNELS[command.channel] ?? GENERAL);
      case "edit":
      case "react":
      case "remove":
        return this.change(this.tab(command.tab), command.do, command.which);
      case "online": {
        this.tab(command.tab).goOnline();
        return;
      }
      case "offline": {
        this.tab(command.tab).goOffline();
        return;
      }
      case "restart":
        return this.restart(command.tab);
      case "settle":
        return this.listener.settle();
      case "wait":
        return this.listener.platform.clock.advance(command.seconds * 1_000);
    }
  }

  private async write({ chat }: Chatter, channel: ChannelRef): Promise<void> {
    const content = `text ${this.written.length}`;
    this.written.push({ channel, content });
    await chat.send(channel, { content });
  }

  private async change({ chat }: Chatter, kind: "edit" | "react" | "remove", which: number): Promise<void> {
    const { messages } = await this.store.messagesBefore(GENERAL, { limit: 10, before: null });
    const message = messages[which % Math.max(messages.length, 1)];
    if (!message || message.deletedAt !== null) return;
    if (kind === "edit") await chat.edit(message.id, `${message.content}, edited`);
    if (kind === "react") await chat.react(message.id, "🌱", which % 3 > 0);
    if (kind === "remove") await chat.remove(message.id);
  }

  private async restart(index: number): Promise<void> {
    const old = this.tab(index);
    old.goOffline();
    old.chat.stop();
    this.server.seats.delete(old.seat);
    const platform = old.platform.reload();
    const again = await startedChatter(this.server, {
      ...{ userId: "ada", store: this.store, platform, instanceId: old.deps.instance.id },
    });
    again.seat.fate = this.fate;
    this.tabs[index] = again;
  }

  /** Ends all failures and keeps everybody online long enough. */
  async rest(): Promise<void> {
    for (const chatter of this.tabs) {
      chatter.seat.fate = () => "ack";
      chatter.goOnline();
    }
    for (let times = 0; times < 3; times += 1) await this.listener.platform.clock.advance(31_000);
  }

  /** The first delivery of each message to the listener, in order. Repetitions must be identical. */
  private hear({ channelId, sentAt, message: { id, content } }: Relayed): void {
    const known = this.heard.get(id);
    if (known) expect(content).toBe(known.content);
    else this.heard.set(id, { channelId: channelId ?? null, content, sentAt });
  }

  /** AB10: a message whose first delivery failed late reaches the listener with the time of its arrival. */
  timeAtListener(id: string, timestamp: number): number {
    const sentAt = this.heard.get(id)?.sentAt ?? timestamp;
    return sentAt - timestamp > 30_000 ? sentAt : timestamp;
  }
}

interface Shown {
  readonly id: string;
  readonly timestamp: number;
  readonly content: string;
  readonly isRemoved: boolean;
  readonly delivery: string;
}

const shownIn = async ({ store }: Chatter, channel: ChannelRef): Promise<readonly Shown[]> => {
  const { messages } = await store.messagesBefore(channel, { limit: 500, before: null });
  return Promise.all(
    messages.map(async ({ id, content, revision, deletedAt, delivery, timestamp }) => ({
      ...{ id, content, revision, timestamp, delivery, isRemoved: deletedAt !== null },
      reactions: (await store.reactions(id))?.map(({ emoji, userId }) => `${emoji} ${userId}`),
    })),
  );
};

function fateOf(planned: string): Fate {
  if (planned === "RATE_LIMITED") return new ClientProblem(planned, { retryable: true, retryAfterMs: 2_000 });
  if (planned === "UNAVAILABLE") return new ClientProblem(planned, { retryable: true });
  return planned === "breaks-before" || planned === "breaks-after" || planned === "no-answer"
    ? planned
    : "ack";
}

describe("the outbox under random interleavings", () => {
  it("CL5 loses nothing and delivers each id once", async () => {
    await fc.assert(
      fc.asyncProperty(commands, fates, async (todo, planned) => {
        let asked = 0;
        const scene = await Scene.open(() => fateOf(planned[asked++] ?? "ack"));
        for (const command of todo) await scene.run(command);
        await scene.rest();
        for (const place of CHANNELS) {
          const mine = await shownIn(scene.tab(0), place);
          const texts = scene.written
            .filter((written) => written.channel === place)
            .map(({ content }) => content);
          expect(mine).toHaveLength(texts.length);
          const shown = mine
            .filter(({ isRemoved }) => !isRemoved)
            .map(({ content }) => content.split(",")[0]);
          expect(shown).toEqual(texts.filter((text) => shown.includes(text)));
          // Only messages removed before delivery are missing.
          const known = mine.filter(({ id, isRemoved }) => scene.heard.has(id) || !isRemoved);
          const sent = known
            .map((message) => ({
              ...{ ...message, delivery: "sent" },
              timestamp: scene.timeAtListener(message.id, message.timestamp),
            }))
            .toSorted((a, b) => a.timestamp - b.timestamp || compareText(a.id, b.id));
          expect(await shownIn(scene.listener, place)).toEqual(sent);
          const order = [...scene.heard.values()].filter(({ channelId }) => channelId === place.channelId);
          const heard = new Set(order.map(({ content }) => content));
          expect(order.map(({ content }) => content)).toEqual(texts.filter((text) => heard.has(text)));
        }
        const undelivered = await scene.store.undelivered();
        expect(undelivered.filter(({ deletedAt }) => deletedAt === null)).toEqual([]);
        expect(await scene.store.metaEntries("outbox:")).toEqual([]);
        expect(await scene.store.metaEntries("handed:")).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
