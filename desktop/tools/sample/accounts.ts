import type { DeviceUser } from "@hearth/device";
import { cast, me } from "./cast.ts";
import type { Person } from "./cast.ts";
import { homeServer, otherServer, sampleRooms } from "./sample-rooms.ts";
import type { Random } from "./random.ts";

/** A user of one instance: the same person has another id on the next. */
export interface Account {
  readonly id: string;
  readonly person: Person;
  readonly signalServerUrl: string;
}

export class Accounts {
  readonly #accounts: readonly Account[];

  constructor(random: Random) {
    const met = (url: string, { key }: Person): boolean =>
      sampleRooms.some(
        ({ signalServerUrl, members }) => signalServerUrl === url && namesOf(members).includes(key),
      );
    this.#accounts = [homeServer, otherServer].flatMap((signalServerUrl) =>
      cast
        .filter((person) => met(signalServerUrl, person))
        .map((person) => ({ id: random.uuid(), person, signalServerUrl })),
    );
  }

  at(signalServerUrl: string, key: string): Account {
    const found = this.#accounts.find(
      ({ person, signalServerUrl: url }) => url === signalServerUrl && person.key === key,
    );
    if (!found) throw new RangeError(`${key} is not at ${signalServerUrl}`);
    return found;
  }

  mine(signalServerUrl: string): Account {
    return this.at(signalServerUrl, me);
  }

  users(updatedAt: number): readonly Omit<DeviceUser, "isFriend">[] {
    return this.#accounts.map(({ id, person, signalServerUrl }) => ({
      id,
      username: person.username,
      displayName: person.displayName,
      signalServerUrl,
      avatarHash: null,
      avatarMime: null,
      cardText: person.cardText,
      updatedAt,
    }));
  }

  /** The ids of users that a text mentions. */
  mentioned(signalServerUrl: string, text: string): readonly string[] {
    const names = [...text.matchAll(/@(\w+)/g)].map(([, name]) => name?.toLowerCase());
    return this.#accounts
      .filter((account) => account.signalServerUrl === signalServerUrl && names.includes(account.person.key))
      .map(({ id }) => id);
  }
}

/** The first one owns the server; a star marks moderators. */
export const namesOf = (members: readonly string[]): readonly string[] =>
  members.map((name) => name.replace("*", ""));
