const useColour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
const paint = (code: number, text: string): string => (useColour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = (text: string): string => paint(1, text);
const dim = (text: string): string => paint(2, text);
const green = (text: string): string => paint(32, text);

const WHO_WIDTH = 12;

/** Prints a story: numbered scenes with actions and their results. */
export class Transcript {
  private scenes = 0;

  title(text: string, ...under: string[]): void {
    console.log(`\n${bold(text)}`);
    for (const line of under) console.log(dim(line));
  }

  scene(text: string): void {
    this.scenes += 1;
    console.log(`\n${bold(`${this.scenes}. ${text}`)}`);
  }

  /** An action of a user or a device. */
  does(who: string, what: string): void {
    console.log(`   ${who.padEnd(WHO_WIDTH)} ${dim("→")} ${what}`);
  }

  /** A message that a device receives. */
  hears(who: string, what: string): void {
    console.log(`   ${who.padEnd(WHO_WIDTH)} ${green("←")} ${what}`);
  }

  remark(text: string): void {
    console.log(dim(`   ${text}`));
  }
}

/** Throws when the story goes differently. */
export const check = (fact: boolean, what: string): void => {
  if (!fact) throw new Error(`The story broke: ${what}`);
};
