import { ClientSocket } from "../wire/client-socket.ts";
import type { Meter } from "../wire/client-socket.ts";
import { plainDoor } from "../wire/doors.ts";
import { clientFrame, serverFrame } from "../wire/frames.ts";

const STALLED_MS = 10_000;
const payload = Buffer.alloc(150, "x");
const sent = clientFrame(payload);
const expected = serverFrame(payload).length;

/** A socket that repeatedly sends 150 bytes and waits for their echo. */
export class EchoClient implements Meter {
  private readonly client: ClientSocket;
  private received = 0;
  private settle: { resolve: () => void; reject: (error: Error) => void } | undefined;

  private constructor(client: ClientSocket) {
    this.client = client;
    client.count(this);
  }

  static async open(port: number, index: number): Promise<EchoClient> {
    return new EchoClient(await ClientSocket.open(port, plainDoor, index));
  }

  ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => reject(new Error("An echo did not come back")), STALLED_MS);
      const settled = (run: () => void): void => {
        clearTimeout(deadline);
        run();
      };
      this.settle = { resolve: () => settled(resolve), reject: (error) => settled(() => reject(error)) };
      this.client.write(sent);
    });
  }

  add(bytes: number): void {
    this.received += bytes;
    if (this.received < expected) return;
    const surplus = this.received - expected;
    this.received = 0;
    if (surplus > 0) this.settle?.reject(new Error("More came back than was sent"));
    else this.settle?.resolve();
  }

  async close(): Promise<void> {
    this.client.check();
    await this.client.close();
  }
}
