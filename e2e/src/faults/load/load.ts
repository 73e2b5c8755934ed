import type { Credential } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing/until";
import { setTimeout as pause } from "node:timers/promises";
import { createServer } from "../../client/device.ts";
import { expectOk, freshName, PASSWORD } from "../../client/rest.ts";
import { RAW_DOORS } from "../../client/raw-socket.ts";
import { seeded } from "../../seeded.ts";
import type { Ledger } from "../ledger.ts";
import { Mutations } from "./mutations.ts";
import { Participant } from "./participant.ts";
import { type Asker, ask } from "./requests.ts";
import { Visits } from "./visits.ts";

export interface LoadOptions {
  readonly url: string;
  /** The URL for REST requests, read for each request; by default the same. */
  readonly restUrl?: () => string;
  readonly ledger: Ledger;
  readonly seed: number;
  readonly users?: number;
  readonly devices?: number;
  readonly rooms?: number;
  /** Chat messages per second of all users. */
  readonly chats?: number;
}

const LOUNGE = "c0000000-0000-4000-8000-000000000001";

const newAccount = (url: string): Promise<Credential> =>
  expectOk(url, "POST", "/api/users/register", {
    body: { username: freshName("load"), password: PASSWORD },
    headers: {
      "x-forwarded-for": `172.16.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
    },
  });

/** Users who chat, type, sync, join, leave, log in and make changes until the load ends. */
export class Load {
  readonly participants: readonly Participant[];
  readonly rooms: readonly string[];
  readonly accounts: readonly Credential[];
  readonly mutations: Mutations;
  readonly random: () => number;
  readonly options: LoadOptions;
  private readonly over = new AbortController();
  private lanes: readonly Promise<void>[] = [];

  private constructor(options: LoadOptions, accounts: readonly Credential[], rooms: readonly string[]) {
    const { url, ledger, devices = 3, seed } = options;
    this.options = options;
    this.accounts = accounts;
    this.rooms = rooms;
    this.random = seeded(seed);
    this.participants = accounts.flatMap((credential, user) =>
      Array.from({ length: devices }, (_, device) => {
        const entered = rooms.filter((_room, at) => at === 0 || (at + user) % 2 === 0);
        const door = RAW_DOORS[(user + device) % 2] ?? "plain";
        const names = { session: sessionOf(user), device: `u${user}d${device}` };
        return new Participant({
          url,
          ledger,
          credential,
          door,
          rooms: entered,
          random: this.random,
          ...names,
        });
      }),
    );
    this.mutations = new Mutations(this.restUrl, ledger, this.asker(0));
  }

  /** Resolves when everybody has joined. */
  static async start(options: LoadOptions): Promise<Load> {
    const { url, users = 8, rooms = 3 } = options;
    const accounts = await Promise.all(Array.from({ length: users }, () => newAccount(url)));
    const [owner] = accounts;
    if (!owner) throw new Error("A load needs somebody");
    const made = await Promise.all(
      Array.from({ length: rooms }, (_, at) => createServer(url, owner, { name: `Load ${at}` })),
    );
    const load = new Load(
      options,
      accounts,
      made.map(({ id }) => id),
    );
    await load.untilEverybodyJoined();
    load.begin();
    return load;
  }

  get restUrl(): () => string {
    return this.options.restUrl ?? (() => this.options.url);
  }

  get goesOn(): boolean {
    return !this.over.signal.aborted;
  }

  asker(user: number): Asker {
    return { session: sessionOf(user), token: this.accounts[user]?.token ?? "" };
  }

  async untilEverybodyJoined(limitMs = 20_000): Promise<void> {
    const missing = () => this.participants.filter(({ present }) => !present).map(({ device }) => device);
    await until(
      () => missing().length === 0,
      limitMs,
      () => `not in: ${missing().join(" ")}`,
    );
  }

  /** Waits for messages in flight; the participants stay. */
  async end(): Promise<void> {
    this.over.abort();
    await Promise.all(this.lanes);
    await pause(500);
  }

  leave(): void {
    this.over.abort();
    for (const participant of this.participants) participant.leave();
  }

  private begin(): void {
    const { chats = 60, ledger } = this.options;
    const visits = new Visits(this);
    this.lanes = [
      this.lane(1_000 / chats, () => this.someone((who) => who.chat(this.oneOf(who.rooms)))),
      this.lane(100, () => this.someone((who) => who.sync())),
      this.lane(100, () =>
        this.someone((who) => who.say({ type: "user_typing", serverId: this.oneOf(who.rooms) })),
      ),
      this.lane(250, () => this.voice()),
      this.lane(1_500, () => this.someone((who) => who.drop())),
      this.lane(100, () => this.mutations.create()),
      this.lane(150, () => this.mutations.rename()),
      this.lane(400, () => this.mutations.register(() => this.goesOn)),
      this.lane(100, async () => {
        await ask(ledger, this.restUrl(), "GET /api/servers");
      }),
      this.lane(100, () => this.whoAmI()),
      this.lane(200, () => this.impostor()),
      this.lane(500, () => visits.one()),
    ];
  }

  /** Repeats the work, with about this pause in between. */
  private async lane(everyMs: number, work: () => Promise<void> | void): Promise<void> {
    while (this.goesOn) {
      await work();
      await pause(everyMs * (0.5 + this.random()));
    }
  }

  private oneOf<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item;
  }

  private someone(does: (who: Participant) => void): void {
    const present = this.participants.filter((participant) => participant.present);
    if (present.length > 0) does(this.oneOf(present));
  }

  /** The devices of some users take voice over from each other. */
  private voice(): void {
    this.someone((who) => {
      const [serverId = ""] = this.rooms;
      const what = this.random() < 0.7 ? "voice_client_takeover" : "voice_state";
      who.say({ type: what, serverId, channelId: LOUNGE });
    });
  }

  private async whoAmI(): Promise<void> {
    const user = Math.floor(this.random() * this.accounts.length);
    await ask(this.options.ledger, this.restUrl(), "GET /api/users/me", this.asker(user));
  }

  /** A client without a session is never let in, whatever is down (I15). */
  private async impostor(): Promise<void> {
    const token =
      "0".repeat(48) +
      Math.floor(this.random() * 2 ** 32)
        .toString(16)
        .padStart(16, "0");
    await ask(this.options.ledger, this.restUrl(), "GET /api/users/me", { token, session: "none" });
  }
}

const sessionOf = (user: number): string => `session of u${user}`;
