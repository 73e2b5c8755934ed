/** A message as a test reads it. */
export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

interface Waiter {
  readonly matches: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
}

const PATIENCE_MS = 5_000;

/** The type, and of a refusal its code or reason. */
const summaryOf = ({ type, code, reason, inReplyTo }: Message): string => {
  const details = [code, reason, inReplyTo].filter((detail) => typeof detail === "string");
  return details.length === 0 ? type : `${type} (${details.join(", ")})`;
};

/** Keeps what arrived, in order, and hands it out once to whoever asks for it. */
export class Mailbox {
  /** Everything that ever arrived. */
  readonly all: Message[] = [];
  private readonly unread: Message[] = [];
  private readonly waiters: Waiter[] = [];

  receive(message: Message): void {
    this.all.push(message);
    const position = this.waiters.findIndex(({ matches }) => matches(message));
    const [waiter] = position < 0 ? [] : this.waiters.splice(position, 1);
    if (waiter) waiter.resolve(message);
    else this.unread.push(message);
  }

  /** The next message of this type, the one that arrived first where several wait. */
  next(
    type: string,
    wanted: (message: Message) => boolean = () => true,
    patienceMs = PATIENCE_MS,
  ): Promise<Message> {
    return this.take(type, (message) => message.type === type && wanted(message), patienceMs);
  }

  /** The answer that echoes a request id, whatever its type. */
  answer(requestId: string, patienceMs = PATIENCE_MS): Promise<Message> {
    return this.take(`answer to ${requestId}`, (message) => message["requestId"] === requestId, patienceMs);
  }

  private take(what: string, matches: (message: Message) => boolean, patienceMs: number): Promise<Message> {
    const position = this.unread.findIndex(matches);
    const [message] = position < 0 ? [] : this.unread.splice(position, 1);
    if (message) return Promise.resolve(message);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const seen = this.all.map(summaryOf).join(", ");
        reject(new Error(`no ${what} within ${patienceMs} ms; arrived so far: ${seen || "nothing"}`));
      }, patienceMs);
      // Whoever asked may have had what it wanted from elsewhere, and ended.
      timer.unref();
      const done = (arrived: Message): void => {
        clearTimeout(timer);
        resolve(arrived);
      };
      this.waiters.push({ matches, resolve: done });
    });
  }

  /** The types of everything that arrived, in order. */
  get types(): string[] {
    return this.all.map(({ type }) => type);
  }

  /** How many of this type have arrived. */
  count(type: string, wanted: (message: Message) => boolean = () => true): number {
    return this.all.filter((message) => message.type === type && wanted(message)).length;
  }
}
