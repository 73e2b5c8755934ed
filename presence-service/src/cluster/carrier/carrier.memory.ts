import { ProblemError } from "@hearth/contracts";
import type { Carrier, Parcel } from "./carrier.ts";

/** Nodes of one process, joined for tests and for the embedded mode, where there is just one. */
export class CarrierHub {
  private readonly nodes = new Set<MemoryCarrier>();

  connect(): Carrier {
    const node = new MemoryCarrier(this);
    this.nodes.add(node);
    return node;
  }

  get alone(): boolean {
    return this.nodes.size === 1;
  }

  send(from: MemoryCarrier, parcel: Parcel): void {
    const text = JSON.stringify(parcel);
    for (const node of this.nodes) {
      if (node !== from) setImmediate(() => node.deliver(text));
    }
  }

  disconnect(node: MemoryCarrier): void {
    this.nodes.delete(node);
  }
}

class MemoryCarrier implements Carrier {
  readonly ready = true;
  private readonly hub: CarrierHub;
  private handler: ((parcel: Parcel) => void) | null = null;
  private closed = false;

  constructor(hub: CarrierHub) {
    this.hub = hub;
  }

  publish(parcel: Parcel): Promise<void> | undefined {
    if (this.closed) return Promise.reject(new ProblemError("UNAVAILABLE"));
    if (!this.hub.alone) this.hub.send(this, parcel);
    return undefined;
  }

  receive(handler: (parcel: Parcel) => void): void {
    this.handler = handler;
  }

  deliver(text: string): void {
    if (!this.closed) this.handler?.(JSON.parse(text) as Parcel);
  }

  close(): Promise<void> {
    this.closed = true;
    this.hub.disconnect(this);
    return Promise.resolve();
  }
}

/** The embedded twin: one node, nobody else to reach. */
export const createMemoryCarrier = (): Carrier => new CarrierHub().connect();
