import { setTimeout as wait } from "node:timers/promises";
import type { Credential } from "@hearth/contracts";
import { accountFor, identifyAndJoin } from "../programs/product-clients.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import { plainDoor } from "../wire/doors.ts";
import { clientFrame } from "../wire/frames.ts";
import { ramp } from "../wire/ramp.ts";

export interface FloodPlan {
  readonly port: number;
  readonly serverId: string;
  readonly readers: readonly Credential[];
  readonly senders: readonly Credential[];
}

export interface FloodOutcome {
  readonly sentBytes: number;
  /** The bytes of the flood that a reader received. */
  readonly readBytes: number;
  readonly redials: number;
  readonly readersClosed: number;
}

const READERS = 30;
const SOCKETS = 20;
const EVERY_MS = 10;
const MESSAGES_EACH = 2;
const CONTENT_BYTES = 1_000;
const COUNTED = { add: (): void => undefined };

/** Twenty sockets of a few accounts that send 4 MB/s into a room of thirty readers and reconnect when closed. */
export class Flood {
  private readonly plan: FloodPlan;
  private readonly readers: readonly ClientSocket[];
  private readonly senders: (ClientSocket | null)[];
  private readonly frame: Buffer;
  private readonly running: Promise<void>;
  private isOver = false;
  private sentBytes = 0;
  private redials = 0;

  private constructor(plan: FloodPlan, readers: readonly ClientSocket[], senders: readonly ClientSocket[]) {
    this.plan = plan;
    this.readers = readers;
    this.senders = [...senders];
    const message = { id: "flood", content: "x".repeat(CONTENT_BYTES) };
    const text = plainDoor.encode({ type: "chat_message", serverId: plan.serverId, message });
    this.frame = Buffer.concat(Array.from({ length: MESSAGES_EACH }, () => clientFrame(text)));
    this.running = this.run();
  }

  static async open(plan: FloodPlan): Promise<Flood> {
    const readers = await ramp(READERS, (index) => enter(plan, plan.readers, index));
    const senders = await ramp(SOCKETS, (index) => enter(plan, plan.senders, index));
    return new Flood(plan, readers, senders);
  }

  async stop(): Promise<FloodOutcome> {
    this.isOver = true;
    await this.running;
    const readersClosed = this.readers.filter(isClosed).length;
    const { sentBytes, redials } = this;
    const readBytes = this.readers[0]?.counted ?? 0;
    for (const socket of [...this.readers, ...this.senders]) await socket?.close();
    return { sentBytes, readBytes, redials, readersClosed };
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      for (let index = 0; index < this.senders.length; index += 1) this.send(index);
      await wait(EVERY_MS);
    }
  }

  private send(index: number): void {
    const sender = this.senders[index];
    if (!sender) return;
    if (isClosed(sender)) {
      this.senders[index] = null;
      void this.redial(index);
      return;
    }
    sender.write(this.frame);
    this.sentBytes += this.frame.length;
  }

  private async redial(index: number): Promise<void> {
    this.redials += 1;
    try {
      const socket = await enter(this.plan, this.plan.senders, index);
      if (this.isOver) await socket.close();
      else this.senders[index] = socket;
    } catch {
      // A socket that is refused stops flooding.
    }
  }
}

const enter = async (
  plan: FloodPlan,
  accounts: readonly Credential[],
  index: number,
): Promise<ClientSocket> => {
  const socket = await ClientSocket.open(plan.port, plainDoor, index);
  await identifyAndJoin(socket, accountFor(accounts, index), plan.serverId);
  socket.count(COUNTED);
  return socket;
};

const isClosed = (socket: ClientSocket): boolean => {
  try {
    socket.check();
    return false;
  } catch {
    return true;
  }
};
