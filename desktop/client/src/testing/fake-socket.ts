import type { Socket } from "../ports.ts";

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;

type Listener = ((event: unknown) => void) | null;

/** A plain WebSocket; the test is the other end. */
export class FakeSocket implements Socket {
  readonly url: string;
  readyState: 0 | 1 | 2 | 3 = CONNECTING;
  bufferedAmount = 0;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror: Socket["onerror"] = null;
  /** Parsed frames of the client. Frames sent before the socket is open throw, as in a browser. */
  readonly sent: Record<string, unknown>[] = [];
  /** The client's close code and reason. */
  closedWith: { readonly code: number | undefined; readonly reason: string | undefined } | null = null;
  /** Called with every frame, so that a test can answer. */
  onSent: ((message: Record<string, unknown>) => void) | null = null;

  constructor(url: string) {
    this.url = url;
  }

  send(data: unknown): void {
    if (this.readyState === CONNECTING) throw new DOMException("Still connecting", "InvalidStateError");
    if (this.readyState !== OPEN) return;
    const message = JSON.parse(String(data)) as Record<string, unknown>;
    this.sent.push(message);
    this.onSent?.(message);
  }

  close(code?: number, reason?: string): void {
    if (this.readyState === CLOSED) return;
    this.closedWith = { code, reason };
    queueMicrotask(() => this.drop(code ?? 1005, reason ?? ""));
  }

  /** The handshake succeeded. */
  open(): void {
    this.readyState = OPEN;
    this.#tell(this.onopen, new Event("open"));
  }

  /** A message of the server; strings are sent as they are. */
  receive(message: unknown): void {
    if (this.readyState !== OPEN) return;
    const data = typeof message === "string" ? message : JSON.stringify(message);
    this.#tell(this.onmessage, Object.assign(new Event("message"), { data }));
  }

  /** The socket closed; 1006 is a broken connection. */
  drop(code = 1006, reason = ""): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    if (code === 1006) this.#tell(this.onerror, new Event("error"));
    this.#tell(this.onclose, Object.assign(new Event("close"), { code, reason, wasClean: code !== 1006 }));
  }

  sentOf(type: string): readonly Record<string, unknown>[] {
    return this.sent.filter((message) => message["type"] === type);
  }

  #tell(listener: Socket["onopen" | "onmessage" | "onclose" | "onerror"], event: Event): void {
    (listener as Listener)?.(event);
  }
}
