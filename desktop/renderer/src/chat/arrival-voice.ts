/** At least this much time lies between two announcements. */
export const QUIET_MS = 4_000;

export interface ArrivalVoice {
  readonly arrived: (sentence: string) => void;
  readonly stop: () => void;
}

/** Says what arrived, the first at once; what comes within the quiet that follows is said together. */
export function createArrivalVoice(about: {
  readonly later: (milliseconds: number, run: () => void) => () => void;
  readonly say: (sentence: string) => void;
  readonly many: (count: number) => string;
}): ArrivalVoice {
  const { later, say, many } = about;
  let waiting: string[] = [];
  let callOff: (() => void) | null = null;
  const speak = (sentence: string): void => {
    say(sentence);
    callOff = later(QUIET_MS, () => {
      callOff = null;
      const [first, ...more] = waiting;
      waiting = [];
      if (first !== undefined) speak(more.length === 0 ? first : many(more.length + 1));
    });
  };
  return {
    arrived(sentence) {
      if (callOff === null) speak(sentence);
      else waiting.push(sentence);
    },
    stop() {
      callOff?.();
      callOff = null;
      waiting = [];
    },
  };
}
