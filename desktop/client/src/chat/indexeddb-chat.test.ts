import { afterEach, describe, expect, it } from "@jest/globals";
import { openIndexedDbStore } from "@hearth/store/indexeddb";
import { fakeFactory } from "@hearth/store/testing";
import { until } from "@hearth/runtime/testing/until";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import { channelKey } from "./chat.ts";
import { createChatServer } from "./testing/chat-server.ts";
import { GENERAL, startedChatter, talk } from "./testing/chatter.ts";
import type { Chatter } from "./testing/chatter.ts";

describe("chat over a browser's store", () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const store of open.splice(0)) store.close();
  });

  it("CL5 goes from one to the other, is read, changed and found after a restart", async () => {
    const clock = createFakeClock();
    const server = createChatServer(clock);
    const factory = fakeFactory();
    const start = async (userId: string): Promise<Chatter> => {
      const platform = createFakePlatform({ device: createFakeDevice(clock) });
      const store = await openIndexedDbStore({ name: userId, factory, now: () => clock.now() });
      open.push(store);
      return startedChatter(server, { userId, platform, store });
    };
    const [ada, bob] = [await start("ada"), await start("bob")];
    ada.goOffline();
    for (const content of ["first", "second", "third"]) await ada.chat.send(GENERAL, { content });
    const [first] = await ada.store.undelivered();
    await ada.chat.edit(first?.id ?? "", "first, corrected");
    ada.goOnline();
    await until(async () => (await talk(bob)).length === 3 && (await talk(bob)).includes("first, corrected"));
    expect(await talk(bob)).toEqual(["first, corrected", "second", "third"]);
    const timeline = bob.chat.timeline(GENERAL);
    await until(() => timeline.state.getState().phase === "ready");
    expect(timeline.state.getState()).toMatchObject({ divider: { id: first?.id }, unread: { messages: 3 } });
    await bob.chat.markAllRead(GENERAL.roomId);
    await bob.chat.react(first?.id ?? "", "🌱", true);
    await until(() => timeline.state.getState().messages[0]?.reactions.length === 1);
    bob.chat.stop();
    const again = await start("bob");
    await until(() => again.chat.state.getState().activity.get(channelKey(GENERAL))?.messages === 0);
    expect(await again.chat.search({ text: "CORRECTED" })).toMatchObject([{ id: first?.id }]);
    await until(async () => (await ada.store.reactions(first?.id ?? ""))?.length === 1);
  });
});
