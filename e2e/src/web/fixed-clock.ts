/** A script that sets a program's clock to `start`, from where it continues. */
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

/** An environment that gives a Node process the script's clock. */
export const environmentWith = (clock: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
});
