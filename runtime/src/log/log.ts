import { pino } from "pino";
import { currentRequestId } from "../context/request-context.ts";
import { redact } from "./redaction.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal" | "silent";

type Write = (fields: Record<string, unknown>, message: string) => void;

/** Structured logging. Fields whose name marks a secret or the text of a message are hidden at any depth. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  fatal: Write;
  /** A log that adds these fields to every line. */
  child(fields: Record<string, unknown>): Log;
}

export interface LogOptions {
  /** The service, as `name` on every line. */
  readonly name: string;
  readonly level?: LogLevel;
  /** Receives whole lines of JSON; default standard output. */
  readonly destination?: { write(line: string): void };
}

function wrap(logger: pino.Logger): Log {
  const at =
    (level: "debug" | "info" | "warn" | "error" | "fatal"): Write =>
    (fields, message) => {
      if (logger.isLevelEnabled(level)) logger[level](redact(fields), message);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    fatal: at("fatal"),
    child: (fields) => wrap(logger.child(redact(fields))),
  };
}

/** A log of one JSON object per line; a line break in a value cannot begin a new line. */
export function createLog({ name, level = "info", destination }: LogOptions): Log {
  const options: pino.LoggerOptions = {
    name,
    level,
    serializers: { err: (described: unknown) => described },
    mixin() {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  };
  return wrap(destination ? pino(options, destination) : pino(options));
}

/** Writes nothing; for tests. */
export const silentLog: Log = createLog({ name: "silent", level: "silent" });
