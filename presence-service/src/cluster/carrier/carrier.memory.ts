import { ProblemError } from "@hearth/contracts";
import type { Carrier, Parcel } from "./carrier.ts";

type Handler = (parcel: Parcel) => void;

/** A receiving node. */
interface MemoryNode {
  handler: Handler | null;
}

/** Joins the nodes of one process; each call returns the carrier of one more node. */
export const createCarrierHub = (): (() => Carrier) => {
  const nodes = new Set<MemoryNode>();
  return () => {
    const own: MemoryNode = { handler: null };
    nodes.add(own);
    return {
      ready: true,
      publish(parcel) {
        if (!nodes.has(own)) return Promise.reject(new ProblemError("UNAVAILABLE"));
        if (nodes.size === 1) return undefined;
        const text = JSON.stringify(parcel);
        for (const node of nodes)
          if (node !== own) setImmediate(() => node.handler?.(JSON.parse(text) as Parcel));
        return undefined;
      },
      receive(handler) {
        own.handler = handler;
      },
      close() {
        nodes.delete(own);
        own.handler = null;
        return Promise.resolve();
      },
    };
  };
};

/** The embedded twin: one node, and no other to reach. */
export const createMemoryCarrier = (): Carrier => createCarrierHub()();
