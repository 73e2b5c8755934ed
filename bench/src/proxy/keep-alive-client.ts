import { connect } from "node:net";
import type { Socket } from "node:net";
import { HOST, loopbackAddress } from "../machine/addresses.ts";

const END_OF_HEAD = "\r\n\r\n";

/** The size of the response that starts here; `undefined` until its headers are complete. */
export function answerSize(begun: Buffer): { readonly status: number; readonly size: number } | undefined {
  const end = begun.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = begun.toString("latin1", 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
  if (Number.isNaN(status) || Number.isNaN(length)) throw new Error(`An answer cannot be read: ${head}`);
  return { status, size: end + END_OF_HEAD.length + length };
}

/** One connection that repeats a request and checks that each response is a complete 200. */
export class KeepAliveClient {
  private readonly socket: Socket;
  private readonly request: Buffer;
  private pending: Buffer = Buffer.alloc(0);
  private settle: { resolve: (size: number) => void; reject: (error: Error) => void } | undefined;

  constructor(port: number, index: number, path: string, headers: readonly string[]) {
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${HOST}:${port}`, ...headers, "", ""];
    this.request = Buffer.from(lines.join("\r\n"));
    this.socket = connect({ port, host: HOST, localAddress: loopbackAddress(index), noDelay: true });
    this.socket.on("data", (chunk) => this.read(chunk));
    this.socket.on("error", (error) => this.settle?.reject(error));
    this.socket.on("close", () => this.settle?.reject(new Error("A kept connection was closed")));
  }

  /** Resolves to the size of the response; rejects unless it is a 200. */
  ask(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.socket.write(this.request);
    });
  }

  close(): void {
    this.settle = undefined;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.pending = this.pending.length > 0 ? Buffer.concat([this.pending, chunk]) : chunk;
    try {
      const answer = answerSize(this.pending);
      if (!answer || this.pending.length < answer.size) return;
      if (answer.status !== 200) throw new Error(`An answer is no 200: ${this.pending.toString()}`);
      if (this.pending.length > answer.size) throw new Error("More came than was asked for");
      this.pending = Buffer.alloc(0);
      this.settle?.resolve(answer.size);
    } catch (error) {
      this.settle?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
