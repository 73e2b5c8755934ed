import { isIP } from "node:net";
import { z } from "zod";

/** The longest duration whose end is still a valid date: about 100,000 years. */
const MAX_DURATION_MS = 3_155_760_000_000_000;

/** A variable whose text must fit `accepts`; `problem` says what it must be and never repeats the text. */
const variable = <Value>(
  accepts: (text: string) => boolean,
  problem: string,
  read: (text: string) => Value,
) => z.string().refine(accepts, problem).transform(read);

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max;

const whole = (min: number, max: number) =>
  variable((text) => isWhole(text, min, max), `must be a whole number from ${min} to ${max}`, Number);

const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text));

const HTTP_URL = /^http:\/\/[^/@?#]+\/?$/;

const items = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Schemas of single variables. Give one a default with `.optional()` or `.default(value)`. */
export const variables = {
  /** 0 lets the operating system choose. */
  port: () => whole(0, 65_535),
  whole,
  /** `true`, `false`, `1` or `0`. */
  boolean: () =>
    variable(
      (text) => ["true", "false", "1", "0"].includes(text),
      "must be true, false, 1 or 0",
      (text) => text === "true" || text === "1",
    ),
  /** Milliseconds, at least 1; the end of the duration is a valid date. */
  durationMs: () => whole(1, MAX_DURATION_MS),
  /** Items separated by commas, trimmed; empty items are dropped. */
  list: () =>
    variable(
      () => true,
      "",
      (text): readonly string[] => items(text),
    ),
  /** Addresses of the processes of one service, `http://host:port`, separated by commas. */
  urls: () =>
    variable(
      (text) =>
        items(text).length > 0 && items(text).every((item) => HTTP_URL.test(item) && URL.canParse(item)),
      "must be URLs such as http://auth:8080 separated by commas",
      (text): readonly string[] => items(text).map((item) => item.replace(/\/$/, "")),
    ),
  /** IP addresses separated by commas. */
  addressList: () =>
    variable(
      (text) => items(text).every((item) => isIP(item) !== 0),
      "must be IP addresses separated by commas",
      (text): readonly string[] => items(text),
    ),
  /** The address to listen on: an IP address or a host name. */
  host: () => variable(isHost, "must be an IP address or a host name", (text) => text),
  /** Text that is not empty, such as a path. */
  text: () =>
    variable(
      (text) => text.trim() !== "",
      "must not be empty",
      (text) => text,
    ),
  logLevel: () =>
    z.enum(
      ["debug", "info", "warn", "error", "fatal", "silent"],
      "must be debug, info, warn, error, fatal or silent",
    ),
} as const;
