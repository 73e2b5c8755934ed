import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { FakeClock } from "../../testing/fake-clock.ts";
import type {
  Connection,
  ConnectionState,
  Incoming,
  OutgoingMessage,
  RelayedMessage,
} from "../../connection/connection.ts";
import { ClientProblem } from "@hearth/device";

/** The fate of a request: the socket may break before the server reads it, or before the answer arrives. */
export type Fate = "ack" | "breaks-before" | "breaks-after" | "no-answer" | Error;

export interface Seat {
  readonly connection: Connection;
  readonly state: StoreApi<ConnectionState>;
  /** Everything that this client requested and the server read, in order. */
  readonly read: OutgoingMessage[];
  readonly cast: OutgoingMessage[];
  /** Called for every request. The default is `ack`. */
  fate: (message: OutgoingMessage) => Fate;
  /** Called when the socket broke on purpose. */
  onBreak: () => void;
}

export interface ChatServer {
  readonly url: string;
  readonly seats: Set<Seat>;
  sit(
    person: { readonly userId: string; readonly displayName: string },
    onIncoming: (message: Incoming) => void,
  ): Seat;
}

/** A server that relays within one room (rule WS9) to everybody but the sending connection. */
export function createChatServer(clock: FakeClock, url = "https://chat.example"): ChatServer {
  const seats = new Set<Seat>();
  const hears = new Map<Seat, (message: Incoming) => void>();

  function relay(from: Seat, message: OutgoingMessage, stamp: object): void {
    from.read.push(message);
    const relayed: unknown = structuredClone({ ...message, ...stamp, sentAt: clock.now() });
    for (const [seat, hear] of hears)
      if (seat !== from && seat.state.getState().status === "online") hear(relayed as RelayedMessage);
  }

  return {
    url,
    seats,
    sit({ userId, displayName }, onIncoming) {
      const state = createStore<ConnectionState>(() => ({
        ...{ url, status: "online", attempts: 0, retryAt: null, offlineSince: null, lastOnlineAt: null },
        ...{ limits: null, reason: null },
      }));
      const stamp = { fromUserId: userId, fromDisplayName: displayName };
      const isOnline = (): boolean => state.getState().status === "online";
      async function request(message: OutgoingMessage): Promise<Incoming> {
        if (!isOnline()) throw new ClientProblem("OFFLINE");
        await Promise.resolve();
        const fate = seat.fate(message);
        if (fate instanceof Error) throw fate;
        if (fate !== "breaks-before") relay(seat, message, stamp);
        if (fate === "ack") return { type: "ack", inReplyTo: message.type };
        if (fate !== "no-answer") seat.onBreak();
        throw new ClientProblem("NO_ANSWER", { retryable: true });
      }
      const seat: Seat = {
        state,
        read: [],
        cast: [],
        fate: () => "ack",
        onBreak: () => undefined,
        connection: {
          state,
          request,
          cast(message) {
            if (!isOnline()) return;
            seat.cast.push(message);
            relay(seat, message, stamp);
          },
          on: () => () => undefined,
          retryNow: () => undefined,
          now: () => clock.now(),
        },
      };
      seats.add(seat);
      hears.set(seat, onIncoming);
      return seat;
    },
  };
}
