import type { Credential } from "@hearth/contracts";
import { type Device, dialPlain, join, openDevice } from "../client/index.ts";
import { storedCredential } from "./stored-data.ts";
import type { Tab } from "./tab.ts";
import type { WebWorld } from "./web-world.ts";

/** A new user of the home instance with their own browser. */
export async function newcomer(world: WebWorld, username: string): Promise<Tab> {
  const tab = await (await world.device()).open("/register");
  await tab.register(username);
  return tab;
}

/** Users in one server: the first created it, the others found it. */
export async function serverWithUsers(
  world: WebWorld,
  room: string,
  [founder, ...others]: readonly [string, ...string[]],
): Promise<readonly [Tab, ...Tab[]]> {
  const first = await newcomer(world, founder);
  await first.createRoom(room);
  const guests = await Promise.all(
    others.map(async (name) => {
      const tab = await newcomer(world, name);
      await tab.findAndJoin(room);
      return tab;
    }),
  );
  return [first, ...guests];
}

/** The server and the channel that a tab shows. */
export function channelShownIn(tab: Tab): { readonly roomId: string; readonly channelId: string } {
  const [, , roomId, channelId] = new URL(tab.page.url()).pathname.split("/");
  if (roomId === undefined || channelId === undefined) throw new Error("The tab shows no channel");
  return { roomId, channelId };
}

/** The account of a tab, for programs that act for it. */
export async function accountOf(tab: Tab): Promise<Credential> {
  const { userId: id, ...kept } = await storedCredential(tab, tab.origin);
  return { id, expiresAt: Number.MAX_SAFE_INTEGER, ...kept };
}

export interface ProgramMessage {
  readonly id: string;
  readonly content: string;
  readonly timestamp: number;
  readonly mentions?: readonly string[];
}

/** A program that writes with a tab's account in its current channel. */
export class Program implements AsyncDisposable {
  readonly account: Credential;
  private readonly device: Device;
  private readonly place: { readonly roomId: string; readonly channelId: string };

  private constructor(account: Credential, device: Device, place: Program["place"]) {
    this.account = account;
    this.device = device;
    this.place = place;
  }

  static async of(tab: Tab): Promise<Program> {
    const account = await accountOf(tab);
    const device = await openDevice(dialPlain, tab.origin, account);
    const place = channelShownIn(tab);
    await join(device, place.roomId);
    return new Program(account, device, place);
  }

  /** Sends messages to the server; resolves with their ids. */
  async say(...contents: readonly string[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const content of contents) ids.push(await this.sayAt(content, Date.now()));
    return ids;
  }

  /** Sends a message with any date. */
  async sayAt(content: string, timestamp: number): Promise<string> {
    const { roomId: serverId, channelId } = this.place;
    const message = {
      id: crypto.randomUUID(),
      content,
      timestamp,
      replyToId: null,
      mentions: [],
      clientInstanceId: this.device.clientInstanceId,
    };
    const answer = await this.device.ask({ type: "chat_message", serverId, channelId, message });
    if (answer.type !== "ack") throw new Error(`It was refused with ${String(answer["code"])}`);
    return message.id;
  }

  /** Sends messages to the account's other devices, like a device that had received them. */
  async handOver(messages: readonly ProgramMessage[]): Promise<void> {
    const { account, device, place } = this;
    const synced = messages.map(({ mentions = [], ...message }) => ({
      ...message,
      ...place,
      mentions,
      senderId: account.id,
      senderDisplayName: account.displayName,
      replyToId: null,
      clientInstanceId: null,
    }));
    const payload = {
      type: "chat-sync-batch",
      roomId: place.roomId,
      messages: synced,
      attachments: {},
      final: false,
    };
    const { clientInstanceId } = device;
    const answer = await device.ask({ type: "account_sync", clientInstanceId, payload });
    if (answer.type !== "ack") throw new Error(`It was refused with ${String(answer["code"])}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.device.close();
  }
}
