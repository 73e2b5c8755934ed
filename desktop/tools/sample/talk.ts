import { beginnings, pause, YEAR_MS } from "./calendar.ts";
import { namesOf } from "./accounts.ts";
import { smallTalk } from "./material/smalltalk.ts";
import type { SampleRoom } from "./sample-rooms.ts";
import type { Random } from "./random.ts";
import { readScript } from "./script.ts";
import type { Conversation, Hours, Line } from "./script.ts";
import { readSmallTalk } from "./small-talk.ts";
import type { Remark } from "./small-talk.ts";
import { Wording } from "./wording.ts";

/** A line as it was written in the sample. */
export interface Said extends Line {
  readonly channel: string;
  readonly at: number;
  /** Lines of one conversation; `replyBack` counts within it. */
  readonly talk: number;
}

interface Beginning {
  readonly at: number;
  readonly channel: string;
  readonly lines: readonly Line[];
}

const plain = (speaker: string, text: string): Line => ({
  speaker,
  text,
  replyBack: 0,
  edit: null,
  removed: false,
  files: [],
  texts: [],
  reactions: [],
});

/** All lines of one room in the year before `end`. */
export class Talk {
  readonly #random: Random;
  readonly #place: SampleRoom;
  readonly #end: number;

  constructor(random: Random, sampleRoom: SampleRoom, end: number) {
    this.#random = random;
    this.#place = sampleRoom;
    this.#end = end;
  }

  said(): readonly Said[] {
    return [...this.#conversations(), ...this.#remarks()]
      .sort((one, other) => one.at - other.at)
      .flatMap((beginning, talk) => this.#say(beginning, talk))
      .filter(({ at }) => at < this.#end - 60_000)
      .sort((one, other) => one.at - other.at);
  }

  /** Of those that fit the month, the least used ones come first, so that no conversation repeats soon. */
  #conversations(): readonly Beginning[] {
    const { script, rhythm } = this.#place;
    const stories = readScript(script);
    const told = new Map<Conversation, number>();
    const times = beginnings(this.#random, rhythm, rhythm.conversationsPerWeek, this.#end);
    const recurring = times.flatMap((at) => {
      const month = new Date(at).getUTCMonth() + 1;
      const fitting = stories.filter(({ isOnce, months }) => !isOnce && months.includes(month));
      const least = Math.min(...fitting.map((story) => told.get(story) ?? 0));
      const fresh = fitting.filter((story) => (told.get(story) ?? 0) === least);
      if (fresh.length === 0) return [];
      const story = this.#random.pick(fresh);
      told.set(story, least + 1);
      return [{ ...story, at: this.#within(story.hours, at) }];
    });
    return [...recurring, ...stories.filter(({ isOnce }) => isOnce).map((story) => this.#once(story))];
  }

  #once(story: Conversation): Beginning {
    const fits = (at: number): boolean => story.months.includes(new Date(at).getUTCMonth() + 1);
    let at: number;
    do at = this.#end - this.#random.between(86_400_000, YEAR_MS);
    while (!fits(at));
    return { ...story, at: this.#within(story.hours, at) };
  }

  #within(hours: Hours | null, at: number): number {
    if (hours === null) return at;
    return (
      at -
      (at % 86_400_000) +
      this.#random.between(hours[0] * 60, hours[1] * 60 + 59) * 60_000 +
      (at % 60_000)
    );
  }

  #remarks(): readonly Beginning[] {
    const remarks = readSmallTalk(smallTalk[this.#place.key] ?? "");
    const { rhythm } = this.#place;
    if (remarks.length === 0) return [];
    return beginnings(this.#random, rhythm, rhythm.remarksPerWeek, this.#end).map((at) => {
      const remark = this.#random.pick(remarks);
      return { at: this.#within(remark.hours, at), channel: remark.channel, lines: this.#exchange(remark) };
    });
  }

  /** A remark, and up to three answers by others. */
  #exchange({ speaker, text, answers }: Remark): readonly Line[] {
    const silent = ["dealzone", "rolf"];
    const people = namesOf(this.#place.members).filter((name) => !silent.includes(name));
    const takeOne = <Item>(items: Item[]): Item[] =>
      items.splice(this.#random.between(0, items.length - 1), 1);
    const [first = ""] = speaker === "*" ? takeOne(people) : [speaker];
    const others = people.filter((name) => name !== first);
    const left = [...answers];
    const lines = [plain(first, text)];
    for (let count = this.#random.weighted([2, 5, 4, 1]); count > 0 && others.length > 0; count -= 1) {
      const [name = ""] = takeOne(others);
      const [answer = ""] = takeOne(left);
      if (answer !== "") lines.push(plain(name, answer));
    }
    return lines;
  }

  #say({ at, channel, lines }: Beginning, talk: number): readonly Said[] {
    const wording = new Wording(this.#random, at, 1 - (this.#end - at) / YEAR_MS);
    let now = at;
    return lines.map((line, index) => {
      const text = wording.fill(line.text);
      if (index > 0) now += pause(this.#random, text);
      const edit = line.edit === null ? null : wording.fill(line.edit);
      const files = line.files.map((name) => wording.fill(name));
      return { ...line, text, edit, files, channel, at: now, talk };
    });
  }
}
