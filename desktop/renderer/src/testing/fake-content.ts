import type { Member, RoomUser, UserStatus } from "@hearth/contracts";
import type { TimelineMessage } from "@hearth/client";
import type { DeviceAttachment, DeviceReaction, DeviceRoom, DeviceUser } from "@hearth/device";
import { Accounts, namesOf } from "@hearth/desktop-tools/sample";
import { me } from "@hearth/desktop-tools/sample";
import { homeServer, otherServer, sampleRooms } from "@hearth/desktop-tools/sample";
import type { SampleRoom as SamplePlace } from "@hearth/desktop-tools/sample";
import { Random } from "@hearth/desktop-tools/sample";
import { roomOf } from "@hearth/desktop-tools/sample";
import { Talk } from "@hearth/desktop-tools/sample";
import type { Said } from "@hearth/desktop-tools/sample";

export const HOME_URL = homeServer;
export const FOREIGN_URL = otherServer;

/** What the client in memory starts with: the sample's people and servers of chat, and the last of their talk. */
export interface FakeContent {
  readonly rooms: readonly DeviceRoom[];
  readonly users: readonly DeviceUser[];
  readonly members: ReadonlyMap<string, readonly Member[]>;
  readonly present: ReadonlyMap<string, ReadonlyMap<string, RoomUser>>;
  /** By room, by (timestamp, id). */
  readonly messages: ReadonlyMap<string, readonly TimelineMessage[]>;
  readonly mine: (signalServerUrl: string) => string;
}

const MOODS: readonly UserStatus[] = ["online", "online", "away", "online", "busy"];

const mimeOf = (filename: string): string =>
  ({ jpg: "image/jpeg", png: "image/png", pdf: "application/pdf" })[filename.split(".").at(-1) ?? ""] ??
  "text/plain";

class RoomTalk {
  readonly #random: Random;
  readonly #room: DeviceRoom;
  readonly #accounts: Accounts;

  constructor(random: Random, room: DeviceRoom, accounts: Accounts) {
    this.#random = random;
    this.#room = room;
    this.#accounts = accounts;
  }

  messages(said: readonly Said[]): readonly TimelineMessage[] {
    const bare = said.map((line) => ({ line, message: this.#message(line) }));
    return bare.map(({ line, message }) => {
      if (line.replyBack === 0) return message;
      const same = bare.filter((other) => other.line.talk === line.talk);
      const target = same[same.findIndex((other) => other.line === line) - line.replyBack]?.message;
      return target === undefined ? message : { ...message, replyToId: target.id, repliesTo: target };
    });
  }

  #id(key: string): string {
    return this.#accounts.at(this.#room.signalServerUrl, key === "me" ? me : key).id;
  }

  #message(line: Said): TimelineMessage {
    const { id: roomId, channels, signalServerUrl } = this.#room;
    const id = this.#random.uuid();
    const sender = this.#accounts.at(signalServerUrl, line.speaker === "me" ? me : line.speaker);
    const deletedAt = line.removed ? line.at + 60_000 : null;
    const isEdited = line.edit !== null && !line.removed;
    return {
      id,
      roomId,
      channelId: channels.find(({ name }) => name === line.channel)?.id ?? null,
      senderId: sender.id,
      senderDisplayName: sender.person.displayName,
      content: line.removed ? "" : (line.edit ?? line.text),
      replyToId: null,
      mentions: this.#accounts.mentioned(signalServerUrl, line.text),
      timestamp: line.at,
      revision: isEdited ? 1 : 0,
      editedAt: isEdited ? line.at + 30_000 : null,
      deletedAt,
      delivery: "sent",
      clientInstanceId: null,
      updatedAt: line.at,
      reactions: line.removed ? [] : this.#reactions(id, line),
      attachments: line.removed ? [] : this.#attachments(id, line),
      repliesTo: null,
      problem: null,
    };
  }

  #reactions(messageId: string, { reactions, at }: Said): readonly DeviceReaction[] {
    return reactions.flatMap(({ emoji, by }) =>
      by.map((name, index) => ({
        messageId,
        emoji,
        userId: this.#id(name),
        createdAt: at + 5_000 * (index + 1),
      })),
    );
  }

  #attachments(messageId: string, { files, texts, at }: Said): readonly DeviceAttachment[] {
    return [...files, ...texts].map((filename) => ({
      id: this.#random.uuid(),
      messageId,
      roomId: this.#room.id,
      filename,
      size: this.#random.between(40_000, 2_000_000),
      mime: mimeOf(filename),
      hash: this.#random.uuid().replaceAll("-", "").padEnd(64, "0"),
      isLocal: false,
      createdAt: at,
    }));
  }
}

const roleIn = ({ members }: SamplePlace, key: string): Member["role"] => {
  if (members[0] === key) return "owner";
  return members.includes(`${key}*`) ? "moderator" : "member";
};

function peopleOf(place: SamplePlace, room: DeviceRoom, accounts: Accounts) {
  const people = namesOf(place.members).map((key) => accounts.at(place.signalServerUrl, key));
  const members = people.map(({ id, person }) => ({
    userId: id,
    username: person.key,
    displayName: person.displayName,
    role: roleIn(place, person.key),
    joinedAt: room.joinedAt,
  }));
  const present = people
    .filter(({ person }, index) => person.key === me || index % 3 !== 2)
    .map(({ id, person }, index): readonly [string, RoomUser] => [
      id,
      {
        oderId: id,
        username: person.key,
        displayName: person.displayName,
        status: MOODS[index % MOODS.length] ?? "online",
      },
    ]);
  return { members, present: new Map(present) };
}

/** The same every time for the same `now`. */
export function createFakeContent(now: number): FakeContent {
  const random = new Random(7);
  const accounts = new Accounts(random);
  const servers = sampleRooms.filter(({ kind }) => kind === "server");
  const lived = servers.map((place) => {
    const room = roomOf(random, place, accounts, now);
    const said = new Talk(random, place, now).said();
    const messages = new RoomTalk(random, room, accounts).messages(said);
    return { room, messages, ...peopleOf(place, room, accounts) };
  });
  return {
    rooms: lived.map(({ room }) => room),
    users: accounts.users(now).map((user) => ({ ...user, isFriend: false })),
    members: new Map(lived.map(({ room, members }) => [room.id, members])),
    present: new Map(lived.map(({ room, present }) => [room.id, present])),
    messages: new Map(lived.map(({ room, messages }) => [room.id, messages])),
    mine: (signalServerUrl) => accounts.mine(signalServerUrl).id,
  };
}
