import { lexicon } from "./material/lexicon.ts";
import type { Random } from "./random.ts";

const monthNames = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2024, month, 15)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);

/**
 * Fills the slots of one conversation: `{bread}` is the same word in all its lines, `{this|that}` is chosen each
 * time.
 */
export class Wording {
  readonly #random: Random;
  readonly #at: Date;
  readonly #progress: number;
  readonly #chosen = new Map<string, string>();

  /** `progress` is the position within the year, from 0 to 1. */
  constructor(random: Random, at: number, progress: number) {
    this.#random = random;
    this.#at = new Date(at);
    this.#progress = progress;
  }

  fill(text: string): string {
    const filled = text.replace(/\{([^{}]+)\}/g, (_, gap: string) =>
      gap.includes("|") ? this.#random.pick(gap.split("|")) : this.#word(gap),
    );
    return filled === text ? text : this.fill(filled);
  }

  #word(gap: string): string {
    const known = this.#chosen.get(gap);
    if (known !== undefined) return known;
    const word = this.#choose(gap);
    this.#chosen.set(gap, word);
    return word;
  }

  #choose(gap: string): string {
    if (gap === "n") return String(this.#random.between(3, 48));
    if (gap === "month") return this.#month(-this.#random.between(2, 4));
    if (gap === "lastmonth") return this.#month(-1);
    if (gap === "nextmonth") return this.#month(this.#random.between(1, 2));
    const other = /^(\w+)2$/.exec(gap)?.[1];
    const words = lexicon[other ?? gap];
    if (!words) throw new RangeError(`no words for {${gap}}`);
    // Versions only increase.
    if (gap === "version") return words[Math.floor(words.length * Math.min(this.#progress, 0.999))] ?? "";
    return this.#random.pick(
      other === undefined ? words : words.filter((word) => word !== this.#word(other)),
    );
  }

  #month(distance: number): string {
    return monthNames[(this.#at.getUTCMonth() + distance + 12) % 12] ?? "";
  }
}
