import type { Duplex } from "node:stream";
import { Batch } from "./batch.ts";
import type { Door } from "./connection.ts";

/** Has frames to write when the turn ends. Must not throw. */
export interface Writer {
  flush(): void;
}

/** Writes everything that is sent during one turn of the event loop when the turn ends: one write per connection. */
export class Turn {
  /** The batch of a connection that has nothing to send. */
  readonly empty: Readonly<Record<Door, Batch>> = {
    plain: Batch.empty("plain"),
    socketio: Batch.empty("socketio"),
  };
  private readonly onBytes: (bytes: number) => void;
  private writers: Writer[] = [];
  private spare: Writer[] = [];
  private joined: Batch[] = [];
  private bytes = 0;
  private scheduled = false;

  constructor(onBytes: (bytes: number) => void) {
    this.onBytes = onBytes;
  }

  add(writer: Writer): void {
    this.writers.push(writer);
    this.schedule();
  }

  /** Writes a batch as one buffer, which all connections with this batch share. Returns false: wait for `drain`. */
  write(socket: Duplex, batch: Batch): boolean {
    if (this.joined.at(-1) !== batch) this.joined.push(batch);
    this.bytes += batch.bytes;
    this.schedule();
    return socket.write(batch.join());
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(this.end);
  }

  private readonly end = (): void => {
    const { writers } = this;
    this.writers = this.spare;
    for (const writer of writers) writer.flush();
    writers.length = 0;
    this.spare = writers;
    this.forget();
    this.onBytes(this.bytes);
    this.bytes = 0;
    this.scheduled = false;
    if (this.writers.length > 0) this.schedule();
  };

  private forget(): void {
    this.empty.plain.forget();
    this.empty.socketio.forget();
    for (const batch of this.joined) batch.forget();
    this.joined.length = 0;
  }
}
