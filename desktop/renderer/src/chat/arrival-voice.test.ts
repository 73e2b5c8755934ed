import { describe, expect, it } from "@jest/globals";
import { QUIET_MS, createArrivalVoice } from "./arrival-voice.ts";

function listening() {
  const said: string[] = [];
  let pending: (() => void) | null = null;
  const voice = createArrivalVoice({
    say: (sentence) => void said.push(sentence),
    many: (count) => `${count} new`,
    later(milliseconds, run) {
      expect(milliseconds).toBe(QUIET_MS);
      pending = run;
      return () => {
        pending = null;
      };
    },
  });
  const pass = (): void => {
    const run = pending;
    pending = null;
    run?.();
  };
  return { said, voice, pass, isWaiting: () => pending !== null };
}

describe("the voice of arrivals", () => {
  it("says the first at once and a burst together", () => {
    const { said, voice, pass, isWaiting } = listening();
    for (const sentence of ["a", "b", "c", "d"]) voice.arrived(sentence);
    expect(said).toEqual(["a"]);
    pass();
    expect(said).toEqual(["a", "3 new"]);
    pass();
    expect(isWaiting()).toBe(false);
    voice.arrived("e");
    expect(said).toEqual(["a", "3 new", "e"]);
  });

  it("says a single one that waited as it is", () => {
    const { said, voice, pass } = listening();
    voice.arrived("a");
    voice.arrived("b");
    pass();
    expect(said).toEqual(["a", "b"]);
  });

  it("is silent once it was stopped", () => {
    const { said, voice, pass } = listening();
    voice.arrived("a");
    voice.arrived("b");
    voice.stop();
    pass();
    expect(said).toEqual(["a"]);
  });
});
