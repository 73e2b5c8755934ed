import type { Credential, JoinedServer } from "@hearth/contracts";
import { createServer, join, openDevice } from "../client/device.ts";
import type { Device } from "../client/device.ts";
import type { Message } from "../client/mailbox.ts";
import { dialPlain } from "../client/plain.ts";
import { expectOk, freshName, login, register } from "../client/rest.ts";

interface Member {
  readonly userId: string;
  readonly displayName: string;
}

/** A public server on an instance, and its host, who receives messages without a browser. */
export interface PublicServer {
  readonly url: string;
  readonly host: Credential;
  readonly room: JoinedServer;
  /** Resolves with the message with this text as delivered. */
  hears(text: string): Promise<Message>;
  say(text: string): Promise<void>;
  members(): Promise<readonly Member[]>;
  /** The code of a new invite. */
  invite(): Promise<string>;
  /** Connects again after the server was away. */
  comeBack(): Promise<void>;
}

const contentOf = ({ message }: Message): unknown => (message as { readonly content?: unknown }).content;

export async function createPublicServer(url: string, name: string): Promise<PublicServer> {
  const host = await register(url, freshName("host"));
  const room = await createServer(url, host, { name });
  const connect = async (credential: Credential): Promise<Device> => {
    const opened = await openDevice(dialPlain, url, credential);
    await join(opened, room.id);
    return opened;
  };
  let device = await connect(host);
  const path = `/api/servers/${room.id}`;
  return {
    url,
    host,
    room,
    hears: (text) => device.inbox.next("chat_message", (message) => contentOf(message) === text, 20_000),
    async say(text) {
      const message = { id: crypto.randomUUID(), content: text, timestamp: Date.now() };
      const [channel] = room.channels;
      await device.ask({ type: "chat_message", serverId: room.id, channelId: channel?.id, message });
    },
    async members() {
      const page = await expectOk<{ items: readonly Member[] }>(url, "GET", `${path}/members`, host);
      return page.items;
    },
    async invite() {
      const { code } = await expectOk<{ code: string }>(url, "POST", `${path}/invites`, {
        token: host.token,
        body: {},
      });
      return code;
    },
    async comeBack() {
      device = await connect(await login(url, host.username));
    },
  };
}
