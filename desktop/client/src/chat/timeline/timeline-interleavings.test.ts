import { describe, expect, it } from "@jest/globals";
import type { DeliveryState, DeviceMessage, NewMessage } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { Timeline } from "../chat.ts";
import { comparePositions } from "../message-position.ts";
import { createChatServer } from "../testing/chat-server.ts";
import { GENERAL, ROOM, startedChatter } from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";
import { MAX_IN_WINDOW } from "./timeline-window.ts";
import { fc } from "@hearth/device/testing";

const T0 = Date.UTC(2026, 0, 1);
/** Few distinct times, so that ids decide the order. */
const MOMENTS = 200;

type Command =
  | { readonly do: "older" | "newer" | "newest" | "settle" }
  | { readonly do: "jump"; readonly which: number }
  | { readonly do: "arrive"; readonly at: readonly number[] }
  | { readonly do: "live"; readonly count: number }
  | { readonly do: "write"; readonly at: readonly number[] }
  | { readonly do: "postpone"; readonly which: number; readonly count: number };

const commands = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("older", "newer", "newest", "settle") }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("jump" as const), which: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom("arrive", "write"),
        at: fc.array(fc.nat({ max: MOMENTS }), { minLength: 1, maxLength: 60 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("live" as const), count: fc.integer({ min: 1, max: 90 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("postpone" as const),
        which: fc.nat(),
        count: fc.integer({ min: 1, max: 90 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 40 },
);

class Scene {
  readonly bob: Chatter;
  readonly timeline: Timeline;
  wasEverTwice = false;
  private count = 0;
  private moment = MOMENTS;

  constructor(bob: Chatter) {
    this.bob = bob;
    this.timeline = bob.chat.timeline(GENERAL);
    this.timeline.state.subscribe(({ messages }) => {
      this.wasEverTwice ||= new Set(messages.map(({ id }) => id)).size < messages.length;
    });
  }

  run(command: Command): Promise<unknown> {
    switch (command.do) {
      case "older":
        return this.timeline.loadOlder();
      case "newer":
        return this.timeline.loadNewer();
      case "newest":
        return this.timeline.jumpToNewest();
      case "settle":
        return this.bob.settle();
      case "jump":
        return this.timeline.jumpTo(`m-${command.which % Math.max(this.count, 1)}`);
      case "arrive":
        return this.store(command.at);
      case "write":
        return this.store(command.at, "pending");
      case "postpone":
        return this.postpone(command.which, command.count);
      case "live":
        return this.store(Array.from({ length: command.count }, () => (this.moment += 1)));
    }
  }

  async store(moments: readonly number[], delivery: DeliveryState = "sent"): Promise<void> {
    const messages = moments.map((at): NewMessage => {
      const id = `m-${this.count}`;
      this.count += 1;
      return {
        ...{
          id,
          ...GENERAL,
          senderId: "ada",
          senderDisplayName: "Ada",
          content: id,
          replyToId: null,
          mentions: [],
        },
        ...{ timestamp: T0 + at, delivery, clientInstanceId: null },
      };
    });
    await this.bob.store.saveMessages(messages);
    this.tell(messages);
  }

  /** Some waiting messages are the newest, others are not. */
  private async postpone(which: number, count: number): Promise<void> {
    const waiting = await this.bob.store.undelivered();
    const from = which % Math.max(waiting.length, 1);
    const moved = waiting.slice(from, from + count).map(({ id }) => ({
      id,
      timestamp: T0 + (which % 2 === 0 ? (this.moment += 1) : MOMENTS),
    }));
    await this.bob.store.postponeMessages(moved);
    this.tell(moved);
  }

  private tell(messages: readonly { readonly id: string }[]): void {
    const messageIds = messages.map(({ id }) => id);
    this.bob.apply({ kind: "messages", roomId: ROOM, messageIds, isLive: true });
  }
}

/** A store with random delays, so that messages arrive during a read. */
function slow(store: ClientStore, delays: readonly number[]): ClientStore {
  let asked = 0;
  const wait = async (): Promise<void> => {
    for (let turns = delays[asked++ % Math.max(delays.length, 1)] ?? 0; turns > 0; turns -= 1)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...store,
    messagesBefore: async (...input) => {
      const page = await store.messagesBefore(...input);
      await wait();
      return page;
    },
    messagesAfter: async (...input) => {
      const page = await store.messagesAfter(...input);
      await wait();
      return page;
    },
  };
}

async function all({ store }: Chatter): Promise<readonly DeviceMessage[]> {
  const { messages } = await store.messagesBefore(GENERAL, { limit: 100_000, before: null });
  return messages;
}

describe("a timeline under random interleavings", () => {
  it("is sorted and without gaps, and knows whether there is more at its ends", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: MOMENTS }), { maxLength: 500 }),
        commands,
        fc.array(fc.nat({ max: 3 }), { maxLength: 20 }),
        async (beginning, todo, delays) => {
          const device = createFakeDevice(createFakeClock());
          const platform = createFakePlatform({ device, seed: 1 });
          const bob = await startedChatter(createChatServer(device.clock), { userId: "bob", platform });
          Object.assign(bob.store, slow({ ...bob.store }, delays));
          const scene = new Scene(bob);
          await scene.store(beginning);
          const running: Promise<unknown>[] = [];
          for (const command of todo) {
            const work = scene.run(command);
            if (command.do === "settle") await work;
            running.push(work);
          }
          await Promise.all(running);
          await platform.clock.advance(0);
          await new Promise((resolve) => setTimeout(resolve, 20));
          const stored = await all(bob);
          // All messages beyond an end may have moved away; loading shows that.
          if (scene.timeline.state.getState().messages[0]?.id === stored[0]?.id)
            await scene.timeline.loadOlder();
          const { messages, hasOlder, hasNewer, phase } = scene.timeline.state.getState();
          const from = stored.findIndex(({ id }) => id === messages[0]?.id);
          const to = from + messages.length;
          expect(phase).toBe("ready");
          expect(scene.wasEverTwice).toBe(false);
          expect(messages.length).toBeLessThanOrEqual(MAX_IN_WINDOW);
          expect(messages.map(({ id }) => id)).toEqual(
            stored.slice(Math.max(from, 0), to).map(({ id }) => id),
          );
          expect(messages).toEqual(messages.toSorted(comparePositions));
          expect([hasOlder, hasNewer]).toEqual(
            messages.length > 0 ? [from > 0, to < stored.length] : [false, false],
          );
          expect(messages.length > 0).toBe(stored.length > 0);
        },
      ),
      { numRuns: 60 },
    );
  });
});
