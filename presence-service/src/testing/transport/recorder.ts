import type { ProblemError } from "@hearth/contracts";
import type { Connection, ConnectionHandler, InboundMessage } from "../../transport/connection.ts";
import { createFrame } from "../../transport/frame.ts";
import { Mailbox } from "./mailbox.ts";

/** A handler that records its calls. */
export class Recorder implements ConnectionHandler {
  readonly connections = new Mailbox<Connection>();
  readonly handled = new Mailbox<Readonly<Record<string, unknown>>>();
  readonly problems = new Mailbox<ProblemError>();
  readonly ended = new Mailbox<Connection>();
  /** Handles a message as the test wants. */
  react: (connection: Connection, message: InboundMessage) => Promise<void> | void = () => undefined;

  opened(connection: Connection): void {
    this.connections.push(connection);
  }

  admit(_connection: Connection, _message: InboundMessage): boolean {
    return true;
  }

  handle(connection: Connection, message: InboundMessage): Promise<void> | void {
    this.handled.push(message.body);
    return this.react(connection, message);
  }

  malformed(connection: Connection, problem: ProblemError): void {
    this.problems.push(problem);
    connection.send(createFrame({ type: "error", code: problem.code, message: problem.message }));
  }

  closed(connection: Connection): void {
    this.ended.push(connection);
  }
}
