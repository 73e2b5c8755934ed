import { connect } from "node:net";

/** The response to a request over bare TCP that no HTTP library would send. */
export interface RawAnswer {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  /** By lower-case name; the last value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, parsed if it is JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The status lines of all responses, in order. */
  readonly statuses: readonly number[];
}

const PATIENCE_MS = 5_000;

/**
 * Sends the bytes unchanged and resolves with the first response when it is complete or, with `untilClosed`, when the
 * server has closed the connection. Rejects when neither happens in time.
 */
export const sendRaw = (
  baseUrl: string,
  bytes: string | Buffer,
  { untilClosed = false }: { readonly untilClosed?: boolean } = {},
): Promise<RawAnswer> => {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    const settle = (run: () => void): void => {
      clearTimeout(timer);
      socket.destroy();
      run();
    };
    const timer = setTimeout(() => {
      settle(() => reject(new Error(`no whole answer within ${PATIENCE_MS} ms: ${received.slice(0, 200)}`)));
    }, PATIENCE_MS);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      received += text;
      if (!untilClosed && isWhole(received)) settle(() => resolve(parse(received)));
    });
    // The server may reset the connection after a refusal, because it stops reading; the response counts.
    socket.on("error", () => settle(() => resolve(parse(received))));
    socket.on("close", () => settle(() => resolve(parse(received))));
    socket.write(bytes);
  });
};

/** A request as text, with `Host` and `Content-Length` added where they are missing. */
export const requestText = (
  baseUrl: string,
  method: string,
  target: string,
  headers: readonly string[] = [],
  body = "",
): string => {
  const given = (name: string): boolean => headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(given("host") ? [] : [`Host: ${new URL(baseUrl).host}`]),
    ...headers,
    ...(body === "" || given("content-length") || given("transfer-encoding")
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
};

const headOf = (text: string): { readonly head: string; readonly rest: string } | undefined => {
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? undefined : { head: text.slice(0, end), rest: text.slice(end + 4) };
};

const headersOf = (head: string): Record<string, string> =>
  Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );

const isWhole = (text: string): boolean => {
  const parts = headOf(text);
  if (!parts) return false;
  const headers = headersOf(parts.head);
  if (/^HTTP\/1\.1 (101|204|304) /.test(parts.head)) return true;
  if (headers["transfer-encoding"] === "chunked") return parts.rest.endsWith("0\r\n\r\n");
  const length = headers["content-length"];
  return length !== undefined && parts.rest.length >= Number(length);
};

const parse = (text: string): RawAnswer => {
  const parts = headOf(text);
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  const [status = 0] = statuses;
  if (!parts) return { status, headers: {}, text: "", body: {}, statuses };
  const headers = headersOf(parts.head);
  const rest = parts.rest.slice(0, Number(headers["content-length"] ?? parts.rest.length));
  const decoded = Buffer.from(rest, "latin1").toString();
  return { status, headers, text: decoded, body: asJson(decoded), statuses };
};

const asJson = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};
