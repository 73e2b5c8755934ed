import type { z } from "zod";

/** A request from one service to another. Exactly one replica answers it or refuses it with a `ProblemError`. */
export interface RequestSubject<Question, Answer> {
  readonly kind: "request";
  readonly name: string;
  readonly question: z.ZodType<Question>;
  readonly answer: z.ZodType<Answer>;
}

/**
 * Something that happened. Delivered at most once to every subscriber, or to one of each queue group, in publishing
 * order per publisher. A handler must tolerate duplicates.
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
