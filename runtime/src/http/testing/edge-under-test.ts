import { connect } from "node:net";
import { ProblemError, isErrorCode, route, uuid } from "@hearth/contracts";
import { z } from "zod";
import { currentRequestId } from "../../context/request-context.ts";
import type { JwtVerifier } from "../../identity/jwt-verifier.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { createTestIdentity, recordedLog, serve } from "../../testing/doubles.ts";
import { createHttpEdge } from "../edge.ts";
import type { HttpEdge } from "../edge.ts";

const base = { owner: "auth", tag: "Test", summary: "A route of the test", errors: [] } as const;
const ok = <Schema extends z.ZodType>(schema: Schema) =>
  ({ status: 200, description: "Fine", schema }) as const;
const anyObject = z.record(z.string(), z.unknown());

export const routes = {
  echo: route({
    ...base,
    operationId: "echo",
    method: "post",
    path: "/api/echo",
    auth: "none",
    body: z.strictObject({ name: z.string().min(2).optional(), deep: z.unknown().optional() }),
    success: ok(anyObject),
  }),
  item: route({
    ...base,
    operationId: "item",
    method: "get",
    path: "/api/items/:id",
    auth: "none",
    params: z.object({ id: uuid }),
    query: z.object({ limit: z.coerce.number().int().optional(), tag: z.array(z.string()).optional() }),
    success: ok(anyObject),
  }),
  remove: route({
    ...base,
    operationId: "remove",
    method: "delete",
    path: "/api/items/:id",
    auth: "bearer",
    params: z.object({ id: uuid }),
    success: { status: 204, description: "Gone" },
  }),
  fail: route({
    ...base,
    operationId: "fail",
    method: "post",
    path: "/api/fail",
    auth: "none",
    body: anyObject,
    success: ok(anyObject),
  }),
} as const;

const later = {
  special: route({
    ...base,
    operationId: "special",
    method: "put",
    path: "/api/items/special",
    auth: "none",
    success: ok(anyObject),
  }),
  maybe: route({
    ...base,
    operationId: "maybe",
    method: "get",
    path: "/api/maybe",
    auth: "optional",
    success: ok(z.object({ userId: z.string().nullable() })),
  }),
} as const;

type Init = NonNullable<Parameters<typeof fetch>[1]>;

export const QUOTA = { name: "auth", limit: 100, windowSeconds: 900, remaining: 0, resetSeconds: 310 };
export const json = { "content-type": "application/json" };

function mountAll(edge: HttpEdge): void {
  edge.mount(routes, {
    echo: async (input) => ({ ...input, requestId: currentRequestId() ?? null }),
    item: async ({ params, query, reportQuota }) => {
      reportQuota({ ...QUOTA, remaining: 7 });
      return { ...params, ...query };
    },
    remove: async () => undefined,
    fail: async ({ body }) => {
      if (body["answer"] === "wrong") return [] as unknown as Record<string, unknown>;
      const { code, ...extras } = body;
      if (!isErrorCode(code)) throw new Error("SQLITE_ERROR at /var/lib/hearth token=abc");
      throw new ProblemError(code, "Said by the handler", extras);
    },
  });
  edge.mount(later, {
    special: async () => ({ special: true }),
    maybe: async ({ actor }) => ({ userId: actor?.userId ?? null }),
  });
}

/** An edge with routes of every kind, served over real HTTP, and ways to call it. */
export async function startEdge() {
  const identity = await createTestIdentity();
  const metrics = createMetrics({ process: false });
  const recorded = recordedLog();
  const trouble = { keysUnavailable: false };
  const verifier: JwtVerifier = {
    verify: async (jwt) => {
      if (trouble.keysUnavailable) throw new ProblemError("UNAVAILABLE");
      return identity.verifier.verify(jwt);
    },
  };
  const options = { service: "test", log: recorded.log, metrics, identity: verifier, validateAnswers: true };
  const edge = createHttpEdge(options);
  mountAll(edge);
  const served = await serve(edge.listener());
  const call = async (method: string, path: string, init: Init = {}) => {
    const response = await fetch(served.url + path, { method, ...init });
    const text = await response.text();
    const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body, text };
  };
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = json) =>
    call("POST", path, { body, headers });
  return {
    ...{ identity, metrics, recorded, trouble, call, post },
    /** Makes a handler throw a problem with these members. */
    fail: (body: Record<string, unknown>) => post("/api/fail", JSON.stringify(body)),
    /** Sends bytes as they are and reads until the server closes. */
    raw: (text: string): Promise<string> => exchange(served.port, text),
    close: served.close,
  };
}

export type EdgeUnderTest = Awaited<ReturnType<typeof startEdge>>;

const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answered = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (answered += chunk));
    socket.on("close", () => resolve(answered));
    socket.on("error", reject);
  });
