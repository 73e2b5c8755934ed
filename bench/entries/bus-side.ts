import { authSubjects, requestSubject } from "@hearth/contracts";
import { createLog, createMemoryBus, createMetrics } from "@hearth/runtime";
import type { Bus } from "@hearth/runtime";
import { createNatsBus } from "@hearth/runtime/network";
import { answer, question, SUBJECT } from "../src/requests/question.ts";

const subject = requestSubject(SUBJECT, authSubjects.verify.question, authSubjects.verify.answer);

/** The bus with log and metrics as in a service: in this process or over NATS. */
export function openBus(kind: string | undefined): Bus {
  const log = createLog({ name: "bench" });
  const metrics = createMetrics();
  if (kind === "memory") return createMemoryBus({ log, metrics });
  return createNatsBus({
    log,
    metrics,
    name: "bench",
    servers: [process.env["NATS_SERVERS"] ?? ""],
    user: process.env["NATS_USER"] ?? "",
    password: process.env["NATS_PASSWORD"] ?? "",
  });
}

export const answerQuestions = (bus: Bus): void => void bus.answer(subject, async () => answer);

/** Makes one request; throws on a wrong answer. */
export async function ask(bus: Bus): Promise<void> {
  const { sessionId } = await bus.request(subject, question);
  if (sessionId !== answer.sessionId) throw new Error("A wrong answer came");
}
