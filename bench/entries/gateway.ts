import { authSubjects } from "@hearth/contracts";
import { createGatewayService, createRemoteUpstream, readGatewayConfig } from "@hearth/gateway";
import {
  createHttpListener,
  createLog,
  createMemoryBus,
  createMemoryLimiters,
  createMetrics,
  systemClock as clock,
} from "@hearth/runtime";

/**
 * The gateway in its own process, as in a cluster, in front of one server that replaces all services. Auth is
 * simulated here and accepts every token.
 */
const host = process.env["HOST"] ?? "127.0.0.1";
const url = `http://${host}:${process.env["UPSTREAM_PORT"] ?? ""}`;
const HOUR_MS = 3_600_000;
/** As long as a real one; nothing behind this gateway reads it. */
const jwt = ["a".repeat(100), "b".repeat(300), "c".repeat(86)].join(".");

const log = createLog({ name: "gateway" });
const metrics = createMetrics();
const bus = createMemoryBus({ log, metrics });

bus.answer(authSubjects.exchange, async () => ({
  session: {
    userId: "0198c3a0-7c1e-7d3a-9b52-3f1c6d2e8a41",
    username: "bench",
    displayName: "bench",
    sessionId: "0198c3a1-02b4-7e0f-8a6d-5b9c0e7f1d23",
    expiresAt: clock.now() + HOUR_MS,
  },
  jwt,
  jwtExpiresAt: clock.now() + HOUR_MS,
}));

const gateway = createGatewayService({
  upstreams: {
    auth: createRemoteUpstream({ name: "auth", urls: [url], log }),
    discovery: createRemoteUpstream({ name: "discovery", urls: [url], log }),
    presence: createRemoteUpstream({ name: "presence", urls: [url], log }),
  },
  bus,
  limiters: createMemoryLimiters(),
  config: readGatewayConfig(),
  log,
  metrics,
  clock,
});

const { listener, onUpgrade } = gateway;
await gateway.start();
const port = Number(process.env["PORT"]);
await createHttpListener({ name: "door", host, port, listener, onUpgrade, log }).start();
