import type { Credential, JoinedServer, SessionInfo } from "@hearth/contracts";
import {
  type Device,
  dialPlain,
  dialSocketIo,
  expectOk,
  join,
  login,
  openDevice,
  PASSWORD,
  call,
} from "../client/index.ts";
import { check, type Transcript } from "./transcript.ts";

interface Cast {
  readonly laptop: Device;
  readonly phone: Device;
  readonly ben: Device;
  readonly server: JoinedServer;
}

const LAPTOP = "Ada, laptop";
const PHONE = "Ada, phone";
const BEN = "Ben";

/** Plays a short story with two devices of one account and one of another; throws when it goes differently. */
export const playStory = async (url: string, transcript: Transcript): Promise<void> => {
  transcript.title(
    "Hearth, a short story",
    `The server is at ${url}. Ada has a laptop and a phone; Ben has one computer.`,
  );
  const accounts = await openAccounts(url, transcript);
  const devices = await connect(url, accounts, transcript);
  const server = await foundServer(url, devices, transcript);
  const cast = { ...devices, server };
  await chat(cast, transcript);
  await syncDevices(cast, transcript);
  await moveVoice(cast, transcript);
  await signOutElsewhere(url, cast, transcript);
  for (const device of [cast.laptop, cast.ben]) await device.close();
};

type Accounts = Readonly<Record<"laptop" | "phone" | "ben", Credential>>;

const openAccounts = async (url: string, transcript: Transcript): Promise<Accounts> => {
  transcript.scene("Accounts");
  const body = { username: "ada", password: PASSWORD, displayName: "Ada", deviceName: "Laptop" };
  const laptop = await expectOk<Credential>(url, "POST", "/api/users/register", { body });
  transcript.does(LAPTOP, "registers as “ada”");
  transcript.hears(
    LAPTOP,
    `an account and a token of ${laptop.token.length} characters, good until ${year(laptop.expiresAt)}`,
  );
  const phone = await login(url, "ada");
  transcript.does(PHONE, "logs in as “ada”");
  transcript.hears(PHONE, "a token of its own; the laptop's stays valid");
  check(phone.token !== laptop.token && phone.id === laptop.id, "two sessions of one account");
  const ben = await expectOk<Credential>(url, "POST", "/api/users/register", {
    body: { username: "ben", password: PASSWORD, displayName: "Ben" },
  });
  transcript.does(BEN, "registers as “ben”");
  const wrong = await call<{ code: string }>(url, "POST", "/api/users/login", {
    body: { username: "ada", password: "a good guess" },
  });
  transcript.does("A stranger", "guesses Ada's password");
  transcript.hears("A stranger", `${wrong.status} ${wrong.body.code}`);
  check(wrong.status === 401, "a wrong password is refused");
  return { laptop, phone, ben };
};

const connect = async (
  url: string,
  accounts: Accounts,
  transcript: Transcript,
): Promise<Omit<Cast, "server">> => {
  transcript.scene("Connections, through both doors");
  const laptop = await openDevice(dialPlain, url, accounts.laptop);
  transcript.does(LAPTOP, "opens a plain WebSocket and identifies");
  const phone = await openDevice(dialSocketIo, url, accounts.phone);
  transcript.does(PHONE, "opens a Socket.IO connection and identifies");
  const news = await laptop.inbox.next("account_sync_peer_online");
  transcript.hears(
    LAPTOP,
    `another device of yours is online${news["responder"] === true ? "; you send it what it missed" : ""}`,
  );
  check(news["responder"] === true, "the only other device answers");
  const ben = await openDevice(dialPlain, url, accounts.ben);
  transcript.does(BEN, "identifies");
  return { laptop, phone, ben };
};

const foundServer = async (
  url: string,
  { laptop, phone, ben }: Omit<Cast, "server">,
  transcript: Transcript,
) => {
  transcript.scene("A server, created, found and joined");
  const server = await expectOk<JoinedServer>(url, "POST", "/api/servers", {
    token: laptop.credential.token,
    body: { name: "The Reading Room", description: "One book a month, and tea", tags: ["books"] },
  });
  transcript.does(
    LAPTOP,
    `creates “${server.name}” with channels ${server.channels.map(({ name }) => `“${name}”`).join(" and ")}`,
  );
  const found = await expectOk<{ items: JoinedServer[] }>(url, "GET", "/api/servers/search?q=raeding");
  transcript.does(BEN, "searches for “raeding”, in a hurry");
  transcript.hears(BEN, `finds “${found.items[0]?.name ?? "nothing"}”`);
  check(found.items[0]?.id === server.id, "the search forgives a typing error");
  await join(laptop, server.id);
  await join(phone, server.id);
  const joined = await join(ben, server.id);
  transcript.does(BEN, "joins");
  const users = joined["users"] as readonly { displayName: string }[];
  transcript.hears(BEN, `in the room: ${users.map(({ displayName }) => displayName).join(", ")}`);
  for (const [who, device] of [
    [LAPTOP, laptop],
    [PHONE, phone],
  ] as const) {
    await device.inbox.next("user_joined");
    transcript.hears(who, "Ben came in");
  }
  return server;
};

const chat = async ({ laptop, phone, ben, server }: Cast, transcript: Transcript): Promise<void> => {
  transcript.scene("Chat, and an edit");
  const room = { serverId: server.id, channelId: server.channels[0]?.id };
  const message = { id: crypto.randomUUID(), content: "Is the tea ready?" };
  ben.send({ type: "user_typing", ...room });
  const ack = await ben.ask({ type: "chat_message", ...room, message });
  transcript.does(BEN, `says “${message.content}”`);
  transcript.hears(BEN, `${ack.type}: handed on`);
  for (const [who, device] of [
    [LAPTOP, laptop],
    [PHONE, phone],
  ] as const) {
    const heard = await device.inbox.next("chat_message");
    transcript.hears(
      who,
      `${String(heard["fromDisplayName"])}: “${(heard["message"] as typeof message).content}”`,
    );
  }
  ben.send({
    type: "message_revision",
    ...room,
    messageId: message.id,
    revision: { content: "Is the coffee ready?" },
  });
  transcript.does(BEN, "changes it to “Is the coffee ready?”");
  const edit = await phone.inbox.next("message_revision");
  transcript.hears(PHONE, `the message now reads “${(edit["revision"] as { content: string }).content}”`);
  check(ben.inbox.count("chat_message") === 0, "the sending connection does not get its own message back");
};

const syncDevices = async ({ laptop, phone, ben, server }: Cast, transcript: Transcript): Promise<void> => {
  transcript.scene("One account, every device the same");
  laptop.send({
    type: "account_sync",
    clientInstanceId: laptop.clientInstanceId,
    payload: { type: "saved-room-sync", room: { id: server.id, name: server.name } },
  });
  transcript.does(LAPTOP, "saves the server to Ada's list");
  const synced = await phone.inbox.next("account_sync");
  transcript.hears(PHONE, `${(synced["payload"] as { type: string }).type}: the list has it too`);
  check(ben.inbox.count("account_sync") === 0, "nobody else hears of it");
  transcript.remark("Ben hears nothing: an account's own matters stay in the account.");
};

const moveVoice = async ({ laptop, phone, ben, server }: Cast, transcript: Transcript): Promise<void> => {
  transcript.scene("Voice moves from one device to the other");
  const lounge = server.channels.find(({ kind }) => kind === "voice");
  check(lounge !== undefined, "a new server has a voice channel");
  const place = { serverId: server.id, channelId: lounge?.id };
  await laptop.ask({ type: "voice_state", ...place });
  transcript.does(LAPTOP, `starts to talk in “${lounge?.name ?? ""}”`);
  await ben.inbox.next("voice_state");
  transcript.hears(BEN, "Ada is in the voice channel");
  const refused = await phone.ask({ type: "voice_state", ...place });
  transcript.does(PHONE, "tries to talk as well");
  transcript.hears(PHONE, String(refused["code"]));
  check(refused["code"] === "VOICE_NOT_OWNER", "one device talks at a time");
  await phone.ask({ type: "voice_client_takeover" });
  transcript.does(PHONE, "takes voice over");
  await laptop.inbox.next(
    "voice_client_takeover",
    ({ ownerClientInstanceId }) => ownerClientInstanceId === phone.clientInstanceId,
  );
  transcript.hears(LAPTOP, "the phone has it now; the microphone goes off");
  check(
    ben.inbox.count("voice_state", ({ channelId }) => channelId === null) === 0,
    "the room saw one presence",
  );
  transcript.remark("For Ben nothing changed: one continuous presence.");
};

const signOutElsewhere = async (
  url: string,
  { laptop, phone }: Cast,
  transcript: Transcript,
): Promise<void> => {
  transcript.scene("Signing out everywhere else");
  const { token } = laptop.credential;
  const before = await expectOk<SessionInfo[]>(url, "GET", "/api/users/sessions", { token });
  transcript.does(LAPTOP, `looks at Ada's ${before.length} sessions and ends the others`);
  await expectOk(url, "DELETE", "/api/users/sessions", { token, body: { currentPassword: PASSWORD } });
  const farewell = await phone.inbox.next("auth_required");
  await phone.closed;
  transcript.hears(PHONE, `${String(farewell["message"])}; the connection closes`);
  const refused = await call<{ code: string }>(url, "GET", "/api/users/me", {
    token: phone.credential.token,
  });
  transcript.hears(PHONE, `its token is worth nothing any more: ${refused.status} ${refused.body.code}`);
  check(refused.status === 401, "the ended session's token is refused");
  const pong = await laptop.ask({ type: "ping" });
  check(pong.type === "pong", "the laptop's own connection lives on");
  transcript.hears(LAPTOP, "still here");
};

const year = (epochMs: number): number => new Date(epochMs).getFullYear();
