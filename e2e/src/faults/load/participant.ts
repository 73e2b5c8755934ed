import type { Credential } from "@hearth/contracts";
import type { Message } from "../../client/mailbox.ts";
import type { DoorName } from "../../client/raw-socket.ts";
import type { Ledger } from "../ledger.ts";
import { noteMessage } from "./reading.ts";
import { openWire, type Wire } from "./wire.ts";

export interface ParticipantOptions {
  readonly url: string;
  readonly ledger: Ledger;
  readonly credential: Credential;
  /** The ledger's names of the credential's session and of the device, which is unique. */
  readonly session: string;
  readonly device: string;
  readonly door: DoorName;
  /** The ids of the servers that it joins. */
  readonly rooms: readonly string[];
  readonly random: () => number;
}

const BACKOFF_MS = 200;
/** The longest delay of a draining server that is honoured, so that a test does not wait long. */
const LONGEST_RETRY_MS = 2_500;
const PATIENCE_MS = 5_000;

/** A realistic device: it reconnects when it may, identifies and rejoins its servers. */
export class Participant {
  readonly user: string;
  readonly device: string;
  readonly clientInstanceId = crypto.randomUUID();
  /** Whether it has identified and joined all its servers. */
  present = false;
  /** The close codes of its connections, and the reconnect delays it was told, in order. */
  readonly closeCodes: number[] = [];
  readonly retries: number[] = [];
  private readonly options: ParticipantOptions;
  private connection = "";
  private wire: Wire | undefined;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly toEnter = new Set<string>();
  private dials = 0;
  private said = 0;
  private gone = false;
  private retryInMs: number | undefined;

  constructor(options: ParticipantOptions) {
    this.options = options;
    this.user = options.credential.id;
    this.device = options.device;
    this.dial();
  }

  get rooms(): readonly string[] {
    return this.options.rooms;
  }

  /** Sends a chat message to a server. */
  chat(room: string): void {
    const id = this.nextId();
    const content = `text of ${id}`;
    this.noteSent(id, "chat", room, content);
    this.say({ type: "chat_message", serverId: room, message: { id, content }, requestId: id });
  }

  /** Sends a message to the account's other devices. */
  sync(): void {
    const id = this.nextId();
    const payload = { type: "x-faults", id, nested: { of: [1.5, null, "é"] } };
    this.noteSent(id, "sync", null, JSON.stringify(payload));
    const { clientInstanceId } = this;
    this.say({ type: "account_sync", clientInstanceId, payload, requestId: id });
  }

  say(message: Message): void {
    this.wire?.say(message);
  }

  /** Drops the connection like a lost network, then reconnects. */
  drop(): void {
    this.wire?.terminate();
  }

  /** Ends for good. */
  leave(): void {
    this.gone = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.wire?.close();
  }

  private nextId(): string {
    this.said += 1;
    return `${this.connection}-${this.said}`;
  }

  private noteSent(id: string, traffic: "chat" | "sync", room: string | null, content: string): void {
    const { connection } = this;
    this.options.ledger.note({ kind: "sent", connection, id, traffic, room, content });
  }

  private after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }

  private dial(): void {
    if (this.gone) return;
    const { url, door, ledger, session } = this.options;
    const { user, device } = this;
    this.dials += 1;
    const connection = `${device}#${this.dials}`;
    this.connection = connection;
    this.retryInMs = undefined;
    ledger.note({ kind: "opened", connection, user, device, session });
    const life = { identified: false };
    const wire = openWire(url, door, {
      entered: () => this.identify(connection, wire, life),
      heard: (message) => this.heard(connection, message, life),
      closed: (code) => this.closed(connection, code),
    });
    this.wire = wire;
  }

  /** Gives up on a server that does not respond. */
  private identify(connection: string, wire: Wire, life: { readonly identified: boolean }): void {
    const { credential, url } = this.options;
    const { clientInstanceId } = this;
    const connectionScope = url.replace(/^http/, "ws");
    wire.say({ type: "identify", token: credential.token, clientInstanceId, connectionScope });
    this.after(PATIENCE_MS, () => {
      if (this.connection === connection && !life.identified) wire.terminate();
    });
  }

  private heard(connection: string, message: Message, life: { identified: boolean }): void {
    const { ledger, session } = this.options;
    const { type } = message;
    if (!life.identified) ledger.note({ kind: "heard", connection, type });
    if (type === "identified") {
      life.identified = true;
      ledger.note({ kind: "identified", connection });
      for (const room of this.rooms) this.enter(room);
    }
    noteMessage(ledger, connection, session, message);
    if (type === "server_joined") this.entered(String(message["serverId"]));
    if (type === "error") this.refused(connection, message, life);
    const { retryInMs } = message;
    if (typeof retryInMs === "number") this.retries.push((this.retryInMs = retryInMs));
  }

  private enter(room: string): void {
    this.toEnter.add(room);
    this.say({ type: "join_server", serverId: room, requestId: `join ${room}` });
  }

  private entered(room: string): void {
    this.toEnter.delete(room);
    this.present = this.toEnter.size === 0;
  }

  /** Retries what failed temporarily. */
  private refused(
    connection: string,
    message: Message,
    { identified }: { readonly identified: boolean },
  ): void {
    if (message["retryable"] !== true) return;
    const room = String(message["requestId"]).replace(/^join /, "");
    this.after(BACKOFF_MS * (1 + this.options.random()), () => {
      if (this.connection !== connection) return;
      if (!identified && message["inReplyTo"] === "identify") this.wire?.terminate();
      else if (this.toEnter.has(room)) this.enter(room);
    });
  }

  private closed(connection: string, code: number): void {
    this.options.ledger.note({ kind: "closed", connection, code });
    this.closeCodes.push(code);
    this.present = false;
    this.toEnter.clear();
    if (code >= 4500) this.gone = true;
    const wait = Math.min(this.retryInMs ?? BACKOFF_MS * (1 + this.options.random()), LONGEST_RETRY_MS);
    if (!this.gone) this.after(wait, () => this.dial());
  }
}
