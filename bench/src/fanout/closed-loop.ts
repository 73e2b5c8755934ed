import { setTimeout as wait } from "node:timers/promises";
import { percentile } from "../figures/statistics.ts";
import type { Room } from "./room.ts";

export interface Load {
  /** The number of messages in flight. */
  readonly inFlight: number;
  /** Ends after this many messages or this time. */
  readonly messages: number;
  readonly atMostMs: number;
  /** After this time without a byte a delivery counts as lost; default 5 s. */
  readonly stalledMs?: number;
}

/** The processes whose processor time is measured. */
export interface Metered {
  readonly cpuMicros: number;
}

/** The operations of a room that a load needs. */
export interface LoadedRoom
  extends Pick<Room, "meter" | "frameBytes" | "receivers" | "send" | "reset" | "check" | "close"> {
  readonly server: {
    readonly name: string;
    /** The processor time of everything that takes part in a delivery. */
    readonly process: Metered;
    /** The share of the brokers. */
    readonly broker?: Metered;
  };
  /** The senders, in turn. */
  readonly members: readonly unknown[];
}

/**
 * A sender's messages in a row before the next member takes over: one sender at a time, each within the burst that
 * the protocol allows.
 */
export const TURN_MESSAGES = 180;

const STALLED_MS = 5_000;
const SURPLUS_MS = 50;

export interface LoopOutcome {
  readonly messages: number;
  readonly elapsedMs: number;
  readonly cpuMicros: number;
  /** The brokers' share of it; 0 without brokers. */
  readonly brokerMicros: number;
  /** From sending a message until all receivers have it. */
  readonly latenciesMs: readonly number[];
}

/** Keeps `inFlight` messages in flight: sends the next when the whole room has the oldest one. */
class ClosedLoop {
  private readonly room: LoadedRoom;
  private readonly load: Load;
  private readonly sentAt: number[] = [];
  private readonly latenciesMs: number[] = [];
  private readonly startedAt = performance.now();
  private readonly cpuBefore: number;
  private readonly brokerBefore: number;
  private readonly firstTurn: number;
  private finish: (outcome: LoopOutcome) => void = () => undefined;

  constructor(room: LoadedRoom, load: Load, firstTurn: number) {
    this.room = room;
    this.load = load;
    this.firstTurn = firstTurn;
    this.cpuBefore = room.server.process.cpuMicros;
    this.brokerBefore = this.brokerMicros;
  }

  run(): Promise<LoopOutcome> {
    return new Promise((resolve, reject) => {
      const watch = this.watch(reject);
      this.finish = (outcome) => {
        clearInterval(watch);
        resolve(outcome);
      };
      this.expectNext();
      for (let count = 0; count < this.load.inFlight; count += 1) this.sendNext();
    });
  }

  private get perMessage(): number {
    return this.room.frameBytes * this.room.receivers;
  }

  private get brokerMicros(): number {
    return this.room.server.broker?.cpuMicros ?? 0;
  }

  private expectNext(): void {
    this.room.meter.expect((this.latenciesMs.length + 1) * this.perMessage, () => this.arrived());
  }

  private arrived(): void {
    const now = performance.now();
    const complete = Math.floor(this.room.meter.total / this.perMessage);
    while (this.latenciesMs.length < complete) {
      const sentAt = this.sentAt[this.latenciesMs.length];
      if (sentAt === undefined) break;
      this.latenciesMs.push(now - sentAt);
      this.sendNext();
    }
    this.expectNext();
    if (this.latenciesMs.length === this.sentAt.length) this.end(now);
  }

  private sendNext(): void {
    const { messages, atMostMs } = this.load;
    if (this.sentAt.length >= messages || performance.now() - this.startedAt >= atMostMs) return;
    const turn = this.firstTurn + Math.floor(this.sentAt.length / TURN_MESSAGES);
    this.sentAt.push(performance.now());
    this.room.send(turn % this.room.members.length);
  }

  private end(now: number): void {
    this.room.meter.expect(Infinity, () => undefined);
    this.finish({
      messages: this.latenciesMs.length,
      elapsedMs: now - this.startedAt,
      cpuMicros: this.room.server.process.cpuMicros - this.cpuBefore,
      brokerMicros: this.brokerMicros - this.brokerBefore,
      latenciesMs: this.latenciesMs,
    });
  }

  /** After a lost delivery the sum stays short forever. */
  private watch(reject: (error: Error) => void): NodeJS.Timeout {
    let before = -1;
    const watch = setInterval(() => {
      if (this.room.meter.total !== before) {
        before = this.room.meter.total;
        return;
      }
      clearInterval(watch);
      const { name } = this.room.server;
      const expected = this.sentAt.length * this.perMessage;
      reject(new Error(`${name} stalled: ${before} of ${expected} bytes of ${this.sentAt.length} messages`));
    }, this.load.stalledMs ?? STALLED_MS);
    return watch;
  }
}

/**
 * Runs the load and checks that every delivery was made once. `firstTurn` is the member that sends first, so that no
 * member has two turns.
 */
export async function closedLoop(room: LoadedRoom, load: Load, firstTurn: number): Promise<LoopOutcome> {
  room.reset();
  const outcome = await new ClosedLoop(room, load, firstTurn).run();
  await wait(SURPLUS_MS);
  room.check(outcome.messages);
  return outcome;
}

/** Several rounds of one load as one. */
export const together = (rounds: readonly LoopOutcome[]): LoopOutcome => ({
  messages: rounds.reduce((sum, { messages }) => sum + messages, 0),
  elapsedMs: rounds.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  cpuMicros: rounds.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
  brokerMicros: rounds.reduce((sum, { brokerMicros }) => sum + brokerMicros, 0),
  latenciesMs: rounds.flatMap(({ latenciesMs }) => latenciesMs),
});

/** The figures of an outcome, as the tables show them. */
export function fanoutSample(
  { messages, elapsedMs, cpuMicros, latenciesMs }: LoopOutcome,
  receivers: number,
) {
  const deliveries = messages * receivers;
  return {
    cpuPerDelivery: cpuMicros / deliveries,
    deliveriesPerCpuSecond: (1_000_000 * deliveries) / cpuMicros,
    deliveriesPerSecond: deliveries / (elapsedMs / 1000),
    p50: percentile(latenciesMs, 50),
    p99: percentile(latenciesMs, 99),
    messages,
  };
}
