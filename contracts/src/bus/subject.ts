import type { z } from "zod";

/** A question one service asks another. Answered by exactly one of its replicas, or refused with a `ProblemError`. */
export interface RequestSubject<Question, Answer> {
  readonly kind: "request";
  readonly name: string;
  readonly question: z.ZodType<Question>;
  readonly answer: z.ZodType<Answer>;
}

/**
 * Something that happened. Delivered at most once to every subscriber (once per queue group where one is
 * named), in publishing order per publisher; a handler must survive a duplicate.
 */
export interface EventSubject<Payload> {
  readonly kind: "event";
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
}

export const requestSubject = <Question, Answer>(
  name: string,
  question: z.ZodType<Question>,
  answer: z.ZodType<Answer>,
): RequestSubject<Question, Answer> => ({ kind: "request", name, question, answer });

export const eventSubject = <Payload>(name: string, payload: z.ZodType<Payload>): EventSubject<Payload> => ({
  kind: "event",
  name,
  payload,
});
