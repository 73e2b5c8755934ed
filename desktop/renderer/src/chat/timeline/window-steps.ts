interface Identified {
  readonly id: string;
}

export interface WindowStep<Message> {
  readonly messages: readonly Message[];
  /** The change is at the start, so that what is shown keeps its distance from the end. */
  readonly shift: boolean;
  /** Nothing of the step before is in it: the list begins anew. */
  readonly isNew: boolean;
}

/**
 * The steps in which a list goes from one window of messages to another. A virtual list keeps what is shown in its place
 * when one end changes at a time, so that a window that slides is shown with its new start first, then its new end.
 */
export function windowSteps<Message extends Identified>(
  before: readonly Message[],
  after: readonly Message[],
): readonly WindowStep<Message>[] {
  const kept = new Map(after.map(({ id }, index) => [id, index]));
  const first = before.findIndex(({ id }) => kept.has(id));
  const oldFirst = before[first];
  if (oldFirst === undefined) return [{ messages: after, shift: false, isNew: true }];
  const last = before.findLastIndex(({ id }) => kept.has(id));
  const newFirst = kept.get(oldFirst.id) ?? 0;
  const newLast = kept.get(before[last]?.id ?? "") ?? newFirst;
  const startChanges = first !== newFirst;
  const endChanges = before.length - last !== after.length - newLast;
  if (!startChanges) return [{ messages: after, shift: false, isNew: false }];
  if (!endChanges) return [{ messages: after, shift: true, isNew: false }];
  const between = [...after.slice(0, newLast + 1), ...before.slice(last + 1)];
  return [
    { messages: between, shift: true, isNew: false },
    { messages: after, shift: false, isNew: false },
  ];
}
