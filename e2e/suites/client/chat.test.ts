import { isDeepStrictEqual } from "node:util";
import type { Credential, JoinedServer } from "@hearth/contracts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { freePort } from "@hearth/runtime/testing/servers";
import { openChatClient, type ChatClient } from "../../src/product-client/chat-client.ts";
import { createServer, register } from "../../src/client/index.ts";
import { type RunningServer, startServer } from "../../src/server/process.ts";

const PATIENCE_MS = 20_000;

describe("the client's chat over the real server", () => {
  let server: RunningServer;
  let port: string;
  let room: JoinedServer;
  let people: readonly Credential[];
  const talkers: ChatClient[] = [];

  const open = async (credential: Credential): Promise<ChatClient> => {
    const talker = await openChatClient(server.url, credential);
    talkers.push(talker);
    await until(
      async () =>
        talker.servers.join(server.url, room.id).then(
          () => true,
          () => false,
        ),
      PATIENCE_MS,
    );
    // The connection joins after the account has become a member.
    await until(async () => talker.isIn(room.id), PATIENCE_MS);
    return talker;
  };
  const place = () => ({
    roomId: room.id,
    channelId: room.channels.find(({ kind }) => kind === "text")?.id ?? null,
  });
  const says = async (talker: ChatClient, texts: readonly string[]): Promise<void> => {
    const wanted = texts.map((text) => `${text} (sent)`);
    await until(async () => isDeepStrictEqual(await talker.says(place()), wanted), PATIENCE_MS);
  };

  beforeAll(async () => {
    port = String(await freePort());
    server = await startServer({ env: { PORT: port } });
    people = [await register(server.url), await register(server.url)];
    const [owner] = people;
    if (owner) room = await createServer(server.url, owner, { name: "Reading" });
  }, 120_000);

  afterEach(() => {
    for (const talker of talkers.splice(0)) talker.close();
  });

  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  it("CL5 messages written while the server is down arrive once and in order when it is back", async () => {
    const [ada, bob] = await Promise.all(people.map(open));
    if (!ada || !bob) throw new Error("Two people talk here");
    await ada.chat.send(place(), { content: "before" });
    await says(bob, ["before"]);
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    for (const content of texts.slice(0, 10)) await ada.chat.send(place(), { content });
    const { dataDir } = server;
    await server.stop("SIGKILL");
    for (const content of texts.slice(10)) await ada.chat.send(place(), { content });
    const [first] = await ada.messages(place());
    await ada.chat.edit(first?.id ?? "", "before, corrected");
    await ada.chat.react(first?.id ?? "", "🌱", true);
    // Nobody stores messages for Bob while he is away, so Ada reconnects after him; his message is sent when he is
    // back.
    ada.goOffline();
    await bob.chat.send(place(), { content: "here again" });
    server = await startServer({ env: { PORT: port }, dataDir });
    await until(async () => (await bob.says(place())).includes("here again (sent)"), PATIENCE_MS);
    ada.goOnline();
    await says(ada, ["before, corrected", ...texts]);
    // Messages that the server accepted before the kill may be lost; each one that arrives, arrives once.
    await until(async () => (await bob.says(place())).includes("text 19 (sent)"), PATIENCE_MS);
    await until(async () => (await bob.says(place())).includes("before, corrected (sent)"), PATIENCE_MS);
    await until(async () => (await bob.store.reactions(first?.id ?? ""))?.length === 1, PATIENCE_MS);
    const said = (await bob.says(place())).map((text) => text.replace(" (sent)", ""));
    const heard = said.filter((text) => texts.includes(text));
    expect(heard).toEqual(texts.filter((text) => heard.includes(text)));
    expect(heard.slice(-10)).toEqual(texts.slice(10));
    expect(new Set(bob.arrived).size).toBe(bob.arrived.length);
  }, 120_000);

  it("CL5 messages written offline are sent when the connection is back", async () => {
    const [ada, bob] = await Promise.all(people.map(open));
    if (!ada || !bob) throw new Error("Two people talk here");
    ada.goOffline();
    for (const content of ["one", "two", "three"]) await ada.chat.send(place(), { content });
    expect(await ada.says(place())).toEqual(["one (pending)", "two (pending)", "three (pending)"]);
    ada.goOnline();
    await says(bob, ["one", "two", "three"]);
    await says(ada, ["one", "two", "three"]);
  }, 60_000);

  it("CL5 a message sent long after it was written is the newest for everybody, in the same order", async () => {
    const [ada, bob] = await Promise.all(people.map(open));
    if (!ada || !bob) throw new Error("Two people talk here");
    ada.goOffline();
    ada.setBack(60_000);
    for (const content of ["one", "two"]) await ada.chat.send(place(), { content });
    ada.setBack(0);
    await bob.chat.send(place(), { content: "meanwhile" });
    await says(bob, ["meanwhile"]);
    const [read] = await bob.messages(place());
    if (!read) throw new Error("Bob has read his own word");
    ada.goOnline();
    await says(bob, ["meanwhile", "one", "two"]);
    const unread = await bob.store.unread(place(), { after: read, userId: people[1]?.id ?? "" });
    expect(unread).toMatchObject({ messages: 2 });
    await bob.chat.send(place(), { content: "answer" });
    await says(ada, ["one", "two", "answer"]);
    const orderOf = async (talker: ChatClient) =>
      (await talker.messages(place())).map(({ id, timestamp }) => ({ id, timestamp }));
    expect(await orderOf(ada)).toEqual((await orderOf(bob)).slice(1));
  }, 60_000);
});
