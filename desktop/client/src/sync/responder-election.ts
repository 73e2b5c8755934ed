import type { Platform } from "../ports.ts";
import type { CheckedRequest } from "./payloads/payload-schemas.ts";
import type { SnapshotTarget } from "./snapshots/snapshot-sender.ts";

/** How long the responder waits for the request of a new device. */
const REQUEST_MS = 700;
/** Older requests belong to an earlier connection. */
const FRESH_MS = 5_000;
/** How long other devices wait for the responder, plus a random time up to the same, so that one begins first. */
const FALLBACK_MS = 2_500;
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 100;

export interface ResponderElectionDependencies {
  readonly platform: Pick<Platform, "now" | "later" | "random">;
  readonly me: string;
  readonly storeId: string;
  readonly isHere: (clientInstanceId: string) => Promise<boolean>;
  readonly start: (target: SnapshotTarget) => void;
  /** A device with another store came online: it may have what this one lacks. */
  readonly onNewcomer: (clientInstanceId: string, storeId: string, isResponder: boolean) => void;
}

/**
 * Decides which device answers with a snapshot: the responder, the requested device, or the first one whose wait is
 * over.
 */
export interface ResponderElection {
  peerOnline(peer: {
    readonly clientInstanceId: string;
    readonly device: string;
    readonly responder: boolean;
  }): void;
  request(from: string, request: CheckedRequest): void;
  /** A snapshot for this device began. */
  snapshotBegan(to: string, toStore: string | null): void;
  stop(): void;
}

interface Peer {
  readonly device: string;
  readonly request: CheckedRequest | null;
  readonly requestedAt: number;
  readonly isResponder: boolean;
}

/** One timer per name; a new one replaces the old one. */
function createTimers(platform: ResponderElectionDependencies["platform"]) {
  const cancels = new Map<string, () => void>();
  const cancel = (name: string): void => {
    cancels.get(name)?.();
    cancels.delete(name);
  };
  return {
    cancel,
    after: (milliseconds: number, name: string, run: () => void): void => {
      cancel(name);
      const due = (): void => {
        cancels.delete(name);
        run();
      };
      cancels.set(name, platform.later(milliseconds, due));
    },
    stop: () => cancels.forEach((clear) => clear()),
  };
}

function createPeers() {
  const peers = new Map<string, Peer>();
  return {
    peers: peers as ReadonlyMap<string, Peer>,
    remember: (clientInstanceId: string, change: Partial<Peer>): Peer => {
      const unknown: Peer = { device: "", request: null, requestedAt: 0, isResponder: false };
      const peer = { ...unknown, ...peers.get(clientInstanceId), ...change };
      peers.delete(clientInstanceId);
      peers.set(clientInstanceId, peer);
      const [oldest] = peers.keys();
      if (peers.size > MAX_REMEMBERED && oldest !== undefined) peers.delete(oldest);
      return peer;
    },
  };
}

export function createResponderElection(dependencies: ResponderElectionDependencies): ResponderElection {
  const { platform, me, storeId } = dependencies;
  const { peers, remember } = createPeers();
  const served = new Map<string, number>();
  const { cancel, after, stop } = createTimers(platform);

  const isServed = ({ store }: CheckedRequest): boolean =>
    (served.get(store) ?? -Infinity) + REMEMBER_MS > platform.now();
  const serve = (clientInstanceId: string): void => {
    cancel(clientInstanceId);
    const { device = "", request = null } = peers.get(clientInstanceId) ?? {};
    dependencies.start({ clientInstanceId, device, request });
    if (request) served.set(request.store, platform.now());
  };
  const serveUnasked = async (clientInstanceId: string): Promise<void> => {
    const isTab = await dependencies.isHere(clientInstanceId);
    if (!isTab && peers.get(clientInstanceId)?.request === null) serve(clientInstanceId);
  };
  const awaitOthers = (clientInstanceId: string): void =>
    after(FALLBACK_MS * (1 + platform.random()), clientInstanceId, () => serve(clientInstanceId));

  return {
    peerOnline({ clientInstanceId, device, responder }) {
      const known = peers.get(clientInstanceId);
      const isFresh = known !== undefined && known.requestedAt + FRESH_MS > platform.now();
      const request = isFresh ? known.request : null;
      remember(clientInstanceId, { device, request, isResponder: responder });
      if (!responder) return;
      if (request) serve(clientInstanceId);
      else
        after(REQUEST_MS, clientInstanceId, () => void serveUnasked(clientInstanceId).catch(() => undefined));
    },
    request(from, request) {
      if (request.store === storeId) {
        cancel(from);
        return;
      }
      const device = request.device || (peers.get(from)?.device ?? "");
      const { isResponder } = remember(from, { device, request, requestedAt: platform.now() });
      const isArrival = request.to === null;
      if (isArrival) dependencies.onNewcomer(from, request.store, isResponder);
      if (request.to === me || (isArrival && isResponder)) serve(from);
      else if (!(isArrival && isServed(request))) awaitOthers(from);
    },
    snapshotBegan(to, toStore) {
      cancel(to);
      if (toStore === null) return;
      served.set(toStore, platform.now());
      for (const [id, { request }] of peers) if (request?.store === toStore) cancel(id);
    },
    stop,
  };
}
