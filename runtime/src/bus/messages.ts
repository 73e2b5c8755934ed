import { ProblemError } from "@hearth/contracts";
import type { EventSubject, ProblemData, RequestSubject } from "@hearth/contracts";
import type { z } from "zod";
import type { Log } from "../log/log.ts";
import { inputIssues, invalidRequest, problemOf } from "../errors/problems.ts";

/** An answer on its way back: `text` is the JSON of the answer, or of the problem when `ok` is false. */
export interface Reply {
  readonly ok: boolean;
  readonly text: string;
}

/** JSON for the wire. Throws for a value that JSON cannot represent, which is a mistake in our code. */
export function encode(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError("The value cannot be sent as JSON");
  return text;
}

/** Logs and throws where our own code produced a value that does not match its schema. */
function mismatch(log: Log, what: string, subject: string, error: z.ZodError): ProblemError {
  log.error({ subject, errors: inputIssues(error) }, `a bus ${what} does not match its schema`);
  return new ProblemError("INTERNAL");
}

/** Runs a handler on a question that arrived as JSON; never rejects. */
export async function replyTo<Question, Answer>(
  subject: RequestSubject<Question, Answer>,
  handler: (question: Question) => Promise<Answer>,
  text: string,
  log: Log,
): Promise<Reply> {
  try {
    const question = subject.question.safeParse(JSON.parse(text));
    if (!question.success) throw invalidRequest(question.error);
    return { ok: true, text: encode(await handler(question.data)) };
  } catch (error) {
    const problem = problemOf(error, log, { subject: subject.name });
    return { ok: false, text: encode(problem.toData()) };
  }
}

/** Returns the answer in a reply, or throws the `ProblemError` in it. */
export function readReply<Question, Answer>(
  subject: RequestSubject<Question, Answer>,
  reply: Reply,
  log: Log,
): Answer {
  const value: unknown = JSON.parse(reply.text);
  if (!reply.ok) throw ProblemError.fromData(value as ProblemData);
  const answer = subject.answer.safeParse(value);
  if (answer.success) return answer.data;
  throw mismatch(log, "answer", subject.name, answer.error);
}

/** An event's payload as its subscribers receive it. Throws `INTERNAL` when it does not match its schema. */
export function checkedPayload<Payload>(subject: EventSubject<Payload>, text: string, log: Log): Payload {
  const payload = subject.payload.safeParse(JSON.parse(text));
  if (payload.success) return payload.data;
  throw mismatch(log, "payload", subject.name, payload.error);
}
