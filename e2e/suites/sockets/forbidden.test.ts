import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Device, DOORS, join, openDevice, register, settled } from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { sharedServerForTests } from "../../src/server/shared-server-for-tests.ts";

const server = serverForTests();
const hall = sharedServerForTests(server);

describe.each(DOORS)("forbidden messages on the %s door", (_name, dial) => {
  let sender: Device;
  let receiver: Device;
  beforeAll(async () => {
    const [one, other] = await Promise.all([register(server.url), register(server.url)]);
    sender = await openDevice(dial, server.url, one);
    receiver = await openDevice(dial, server.url, other);
  });
  afterAll(async () => {
    await sender.close();
    await receiver.close();
  });

  it("WS9 W26 a message to a server that was not joined is refused", async () => {
    await join(receiver, hall.room.id);
    const place = { serverId: hall.room.id, channelId: hall.room.channels[0]?.id };
    for (const message of [
      { type: "chat_message", ...place, message: { id: "m", content: "x" } },
      { type: "message_revision", ...place, messageId: "m", revision: {} },
      { type: "message_delete", ...place, messageId: "m" },
      { type: "reaction", ...place, messageId: "m", emoji: "x" },
      { type: "user_typing", ...place },
      { type: "status_update", serverId: hall.room.id, status: "away" },
      { type: "voice_state", ...place },
      { type: "leave_server", serverId: hall.room.id },
    ]) {
      expect(await sender.ask(message)).toMatchObject({
        type: "error",
        code: "NOT_JOINED",
        inReplyTo: message.type,
      });
    }
    await settled(receiver);
    const own = ["identified", "server_joined", "member_updated", "pong"];
    expect(receiver.inbox.types.filter((type) => !own.includes(type))).toEqual([]);
  });

  it("VO2 W27 a takeover is refused when nobody owns voice", async () => {
    expect(await sender.ask({ type: "voice_client_takeover" })).toMatchObject({
      type: "error",
      code: "NOT_FOUND",
    });
  });

  it("WS9 W28 the server sets the sender, whatever the message claims", async () => {
    await join(sender, hall.room.id);
    await receiver.inbox.next("user_joined");
    const claimed = { fromUserId: hall.ada.id, fromDisplayName: "Ada", oderId: hall.ada.id, sentAt: 1 };
    await sender.ask({ type: "user_typing", serverId: hall.room.id, ...claimed });
    const typing = await receiver.inbox.next("user_typing");
    const { id, displayName } = sender.credential;
    expect(typing).toMatchObject({ fromUserId: id, fromDisplayName: displayName, oderId: id });
    expect(typing["sentAt"]).not.toBe(1);
    await sender.ask({
      type: "direct_message",
      toUserId: receiver.credential.id,
      message: { id: "d", content: "x" },
      ...claimed,
    });
    expect(await receiver.inbox.next("direct_message")).toMatchObject({
      fromUserId: id,
      fromDisplayName: displayName,
    });
  });

  it("WS10 W29 server icons need a common server; direct messages and WebRTC do not", async () => {
    const stranger = await openDevice(dial, server.url, await register(server.url));
    const toUserId = stranger.credential.id;
    for (const type of ["server_icon_request", "server_icon_full", "server_icon_chunk"]) {
      const answer = await sender.ask({ type, toUserId, serverId: hall.room.id });
      expect(answer).toMatchObject({ type: "error", code: "NO_SHARED_SERVER", inReplyTo: type });
    }
    for (const type of ["direct_typing", "direct_call", "offer", "answer", "ice_candidate"]) {
      expect(await sender.ask({ type, toUserId })).toMatchObject({ type: "ack" });
    }
    await settled(stranger);
    const heard = stranger.inbox.types.filter((type) => type !== "pong" && type !== "identified");
    expect(heard).toEqual(["direct_typing", "direct_call", "offer", "answer", "ice_candidate"]);
    await stranger.close();
  });

  it("WS16 W30 message types of the server are refused and reach nobody", async () => {
    const types = [
      "user_joined",
      "user_left",
      "account_sync_peer_online",
      "auth_error",
      "auth_required",
      "identified",
      "removed_from_server",
      "superseded",
      "server_draining",
      "ack",
      "error",
      "closing",
    ];
    const before = receiver.inbox.all.length;
    for (const type of types) {
      const answer = await sender.ask({ type, serverId: hall.room.id, toUserId: receiver.credential.id });
      expect(answer).toMatchObject({ type: "error", code: "UNKNOWN_TYPE", inReplyTo: type });
    }
    await settled(receiver);
    expect(receiver.inbox.types.slice(before)).toEqual(["pong"]);
  });
});
