import { createServer } from "node:http";
import { connect } from "@nats-io/transport-node";
import { answer, STOCK_SUBJECT } from "../requests/question.ts";
import type { question } from "../requests/question.ts";
import { host, port } from "./address.ts";

/** The stock client's subscription, which parses and writes JSON. */
const connection = await connect({
  servers: process.env["NATS_SERVERS"] ?? "",
  user: process.env["NATS_USER"] ?? "",
  pass: process.env["NATS_PASSWORD"] ?? "",
});

connection.subscribe(STOCK_SUBJECT, {
  queue: STOCK_SUBJECT,
  callback: (error, message) => {
    if (!error && message.json<typeof question>().token !== "") message.respond(JSON.stringify(answer));
  },
});
await connection.flush();
createServer().listen(port, host);
