import { connect } from "node:net";

export interface NatsIdentity {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

const PATIENCE_MS = 5_000;

/** The broker's refusals of these protocol lines, sent by that identity; empty when it accepts all. */
export const refusedByNats = (
  { port, user, password }: NatsIdentity,
  lines: readonly string[],
): Promise<string> =>
  new Promise((resolve, reject) => {
    const credentials = JSON.stringify({ user, pass: password, verbose: false, pedantic: false });
    const socket = connect(port, "127.0.0.1", () => {
      socket.write([`CONNECT ${credentials}`, ...lines, "PING", ""].join("\r\n"));
    });
    let received = "";
    const settle = (run: () => void): void => {
      clearTimeout(timer);
      socket.destroy();
      run();
    };
    const timer = setTimeout(() => settle(() => reject(new Error(`no answer: ${received}`))), PATIENCE_MS);
    socket.on("error", (error) => settle(() => reject(error)));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString();
      const refusal = /-ERR '([^\r]*)'/.exec(received)?.[1];
      if (refusal !== undefined) settle(() => resolve(refusal));
      else if (received.includes("PONG\r\n")) settle(() => resolve(""));
    });
  });
