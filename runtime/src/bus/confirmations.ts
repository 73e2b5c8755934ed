import type { NatsConnection } from "@nats-io/transport-node";

/** How long to wait for the confirmation of the server. */
const LIMIT_MS = 2_000;

/** Waits until the server confirms the messages of a turn; they share one round trip. */
export class Confirmations {
  readonly #open = new Set<(confirmed: boolean) => void>();
  #shared: { readonly connection: NatsConnection; readonly confirmed: Promise<boolean> } | undefined;

  /** Resolves to true once the server has everything that this connection sent before. */
  confirmed(connection: NatsConnection): Promise<boolean> {
    if (this.#shared?.connection !== connection)
      this.#shared = { connection, confirmed: this.#ask(connection) };
    return this.#shared.confirmed;
  }

  /** The connection is lost, so no confirmation will arrive. */
  giveUp(): void {
    for (const end of [...this.#open]) end(false);
  }

  async #ask(connection: NatsConnection): Promise<boolean> {
    // After everything else that is sent in this turn.
    await Promise.resolve();
    if (this.#shared?.connection === connection) this.#shared = undefined;
    return new Promise((resolve) => {
      const end = (confirmed: boolean): void => {
        if (!this.#open.delete(end)) return;
        clearTimeout(limit);
        resolve(confirmed);
      };
      const limit = setTimeout(end, LIMIT_MS, false);
      this.#open.add(end);
      // A refusal that arrived with the confirmation must be handled first.
      connection.flush().then(
        () => setImmediate(end, true),
        () => end(false),
      );
    });
  }
}
