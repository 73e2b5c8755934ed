/** A message as a test reads it. */
export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

interface Waiter {
  readonly matches: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
}

const PATIENCE_MS = 5_000;

/** The type, and a refusal's code or reason. */
const summaryOf = ({ type, code, reason, inReplyTo }: Message): string => {
  const details = [code, reason, inReplyTo].filter((detail) => typeof detail === "string");
  return details.length === 0 ? type : `${type} (${details.join(", ")})`;
};

/** Keeps messages in order of arrival and returns each one once. */
export class Mailbox {
  /** All messages since the start. */
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

  /** The next message of this type, oldest first. */
  next(
    type: string,
    wanted: (message: Message) => boolean = () => true,
    patienceMs = PATIENCE_MS,
  ): Promise<Message> {
    return this.take(type, (message) => message.type === type && wanted(message), patienceMs);
  }

  /** The message of any type that echoes a request id. */
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
      // The caller may have ended meanwhile.
      timer.unref();
      const done = (arrived: Message): void => {
        clearTimeout(timer);
        resolve(arrived);
      };
      this.waiters.push({ matches, resolve: done });
    });
  }

  /** The types of all messages, in order of arrival. */
  get types(): string[] {
    return this.all.map(({ type }) => type);
  }

  /** The number of messages of this type. */
  count(type: string, wanted: (message: Message) => boolean = () => true): number {
    return this.all.filter((message) => message.type === type && wanted(message)).length;
  }
}
