/** A script that moves a program's clock so that it stands at `start` now, and goes on from there. */
export const clockFrom = (start: number): string => {
  const shift = start - Date.now();
  return `{
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        if (given.length === 0) super(RealDate.now() + ${shift});
        else super(...given);
      }
      static now() { return RealDate.now() + ${shift}; }
    };
  }`;
};

/** The environment in which a Node process has the clock that a script gave it. */
export const environmentWith = (clock: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
});
