import type { NatsConnection } from "@nats-io/transport-node";

/** Longest wait for a server to say that it has what it was sent. */
const PATIENCE_MS = 2_000;

/** Waits for the server to confirm what it was sent: whatever one turn sends shares one round trip. */
export class Handovers {
  readonly #open = new Set<(confirmed: boolean) => void>();
  #shared: { readonly connection: NatsConnection; readonly confirmed: Promise<boolean> } | undefined;

  /** Whether the server had everything that was sent by this connection before now. */
  confirmed(connection: NatsConnection): Promise<boolean> {
    if (this.#shared?.connection !== connection)
      this.#shared = { connection, confirmed: this.#ask(connection) };
    return this.#shared.confirmed;
  }

  /** The connection is gone, and with it every confirmation. */
  giveUp(): void {
    for (const end of [...this.#open]) end(false);
  }

  async #ask(connection: NatsConnection): Promise<boolean> {
    // Behind whatever is still sent in this turn.
    await Promise.resolve();
    if (this.#shared?.connection === connection) this.#shared = undefined;
    return new Promise((resolve) => {
      const end = (confirmed: boolean): void => {
        if (!this.#open.delete(end)) return;
        clearTimeout(limit);
        resolve(confirmed);
      };
      const limit = setTimeout(end, PATIENCE_MS, false);
      this.#open.add(end);
      // A refusal that came with the confirmation is heard first.
      connection.flush().then(
        () => setImmediate(end, true),
        () => end(false),
      );
    });
  }
}
