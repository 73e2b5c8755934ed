import { BLANK_MESSAGE } from "@hearth/device";
import type { MessageEdit, MessageRemoval, NewMessage, ReactionChange } from "@hearth/device";
import type { DeviceRoom } from "@hearth/device";
import type { Accounts } from "./accounts.ts";
import { me } from "./cast.ts";
import { distantFile, textFile } from "./files.ts";
import type { SampleFile } from "./files.ts";
import type { Random } from "./random.ts";
import type { Said } from "./talk.ts";

/** The messages of one room, as the device received them. */
export interface History {
  readonly messages: readonly NewMessage[];
  readonly edits: readonly MessageEdit[];
  readonly removals: readonly MessageRemoval[];
  readonly reactions: readonly ReactionChange[];
  readonly files: readonly SampleFile[];
}

const SECOND = 1_000;

/** Converts lines into records. `devices` are those of the account that owns the sample. */
export class RoomHistory {
  readonly #random: Random;
  readonly #room: DeviceRoom;
  readonly #accounts: Accounts;
  readonly #devices: readonly string[];
  readonly #end: number;

  constructor(random: Random, room: DeviceRoom, accounts: Accounts, devices: readonly string[], end: number) {
    this.#random = random;
    this.#room = room;
    this.#accounts = accounts;
    this.#devices = devices;
    this.#end = end;
  }

  of(said: readonly Said[]): History {
    const ids = said.map(() => this.#random.uuid());
    const told = said.map((line, index) => ({ line, id: ids[index] ?? "" }));
    return {
      messages: told.map(({ line, id }) => this.#message(line, id, this.#repliedTo(told, line, id))),
      edits: told.flatMap(({ line, id }) => this.#edit(line, id)),
      removals: told.flatMap(({ line, id }) => this.#removal(line, id)),
      reactions: told.flatMap(({ line, id }) => this.#reactions(line, id)),
      files: told.flatMap(({ line, id }) => this.#files(line, id)),
    };
  }

  #account(key: string) {
    return this.#accounts.at(this.#room.signalServerUrl, key === "me" ? me : key);
  }

  #message(line: Said, id: string, replyToId: string | null): NewMessage {
    const { id: roomId, channels, signalServerUrl } = this.#room;
    const account = this.#account(line.speaker);
    const isMine = account.person.key === me;
    return {
      ...BLANK_MESSAGE,
      id,
      roomId,
      channelId: channels.find(({ name }) => name === line.channel)?.id ?? null,
      senderId: account.id,
      senderDisplayName: account.person.displayName,
      content: line.text,
      replyToId,
      mentions: this.#accounts.mentioned(signalServerUrl, line.text),
      timestamp: line.at,
      delivery: "sent",
      clientInstanceId: isMine ? this.#random.pick(this.#devices) : null,
    };
  }

  #repliedTo(
    told: readonly { readonly line: Said; readonly id: string }[],
    { talk, replyBack }: Said,
    id: string,
  ): string | null {
    if (replyBack === 0) return null;
    const same = told.filter(({ line }) => line.talk === talk);
    return same[same.findIndex((other) => other.id === id) - replyBack]?.id ?? null;
  }

  #edit({ edit, at }: Said, messageId: string): readonly MessageEdit[] {
    if (edit === null) return [];
    const editedAt = this.#later(at, 6 * SECOND, 90 * SECOND);
    return [{ messageId, roomId: this.#room.id, content: edit, revision: 1, editedAt }];
  }

  #removal({ removed, at }: Said, messageId: string): readonly MessageRemoval[] {
    if (!removed) return [];
    const deletedAt = this.#later(at, 60 * SECOND, 1_800 * SECOND);
    return [{ messageId, roomId: this.#room.id, deletedAt }];
  }

  #reactions({ reactions, at }: Said, messageId: string): readonly ReactionChange[] {
    return reactions.flatMap(({ emoji, by }) =>
      by.map((name) => ({
        messageId,
        emoji,
        userId: this.#account(name).id,
        present: true,
        at: this.#later(at, 4 * SECOND, 1_200 * SECOND),
      })),
    );
  }

  #files({ files, texts, at }: Said, messageId: string): readonly SampleFile[] {
    const place = { messageId, roomId: this.#room.id, createdAt: at };
    return [
      ...files.map((name) => distantFile(this.#random, name, place)),
      ...texts.map((name) => textFile(this.#random, name, place)),
    ];
  }

  #later(at: number, least: number, most: number): number {
    return Math.min(at + this.#random.between(least, most), this.#end - 1);
  }
}
