import { describe, expect, it } from "@jest/globals";
import { moderationRoutes, serverRoutes } from "@hearth/contracts";
import { channelKey } from "@hearth/client";
import { createFakeClient } from "./fake-client.ts";

const NOW = Date.UTC(2026, 4, 6, 18);

const textChannel = (client: ReturnType<typeof createFakeClient>) => {
  const [server] = [...client.servers.state.getState().servers.values()];
  const channel = server?.room.channels.find(({ kind }) => kind === "text");
  if (server === undefined || channel === undefined) throw new Error("The sample has no channel");
  return { roomId: server.room.id, channelId: channel.id };
};

describe("a client in memory", () => {
  it("shows what is sent, and sends it", async () => {
    const client = createFakeClient({ now: NOW });
    const place = textChannel(client);
    const timeline = client.chat.timeline(place);
    await client.chat.send(place, { content: "Who has the key?" });
    await Promise.resolve();
    expect(timeline.state.getState().messages.at(-1)).toMatchObject({
      content: "Who has the key?",
      delivery: "sent",
    });
  });

  it("counts what is unread until it is read", async () => {
    const client = createFakeClient({ now: NOW });
    const unread = () => [...client.chat.state.getState().activity.values()].map(({ messages }) => messages);
    expect(Math.max(...unread())).toBeGreaterThan(0);
    for (const roomId of client.servers.state.getState().servers.keys())
      await client.chat.markAllRead(roomId);
    expect(Math.max(...unread())).toBe(0);
    expect(client.chat.state.getState().activity.has(channelKey(textChannel(client)))).toBe(true);
  });

  it("answers as the routes of a server do, and fails where it is told to", async () => {
    const client = createFakeClient({ now: NOW, failing: { "rest.listBans": "FORBIDDEN" } });
    const { roomId } = textChannel(client);
    const params = { id: roomId };
    const members = await client.rest.call(client.home, serverRoutes.members, { params });
    expect(serverRoutes.members.success.schema.parse(members).items.length).toBeGreaterThan(3);
    for (const route of [serverRoutes.list, serverRoutes.featured, serverRoutes.trending])
      expect(route.success.schema.parse(await client.rest.call(client.home, route, {})).items).not.toEqual(
        [],
      );
    await expect(client.rest.call(client.home, moderationRoutes.listBans, { params })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });
});
