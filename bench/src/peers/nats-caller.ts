import { connect } from "@nats-io/transport-node";
import { serveLoad } from "../requests/load-server.ts";
import { answer, question, STOCK_SUBJECT } from "../requests/question.ts";

/** The stock client's `request()` with JSON and nothing else: no schema, no log, no metric. */
const connection = await connect({
  servers: process.env["NATS_SERVERS"] ?? "",
  user: process.env["NATS_USER"] ?? "",
  pass: process.env["NATS_PASSWORD"] ?? "",
});

serveLoad(async () => {
  const reply = await connection.request(STOCK_SUBJECT, JSON.stringify(question), { timeout: 2_000 });
  if (reply.json<typeof answer>().sessionId !== answer.sessionId) throw new Error("A wrong answer came");
});
