import type { LoadedRoom } from "../closed-loop.ts";
import { RoomMeter } from "../room-meter.ts";

export const FRAME = 10;
export const RECEIVERS = 3;

const everyByte = (): number => FRAME * RECEIVERS;

/** A room of four senders that delivers `bytes` for every message and records its calls. */
export function standInRoom(bytes: (message: number) => number = everyByte, name = "a server") {
  const meter = new RoomMeter();
  const seen = { sent: 0, underWay: 0, mostUnderWay: 0, senders: [] as number[], checked: -1, closed: false };
  const server = { name, process: { cpuMicros: 0 }, broker: { cpuMicros: 0 } };
  const room: LoadedRoom = {
    server,
    members: [0, 1, 2, 3],
    meter,
    frameBytes: FRAME,
    receivers: RECEIVERS,
    reset: () => meter.reset(),
    check: (messages) => void (seen.checked = messages),
    close: async () => void (seen.closed = true),
    send(sender) {
      const message = seen.sent++;
      if (seen.senders.at(-1) !== sender) seen.senders.push(sender);
      seen.mostUnderWay = Math.max(seen.mostUnderWay, ++seen.underWay);
      server.process.cpuMicros += 5;
      server.broker.cpuMicros += 1;
      setImmediate(() => {
        seen.underWay -= 1;
        meter.add(bytes(message));
      });
    },
  };
  return { room, seen };
}
