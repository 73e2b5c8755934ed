import Database from "emoji-picker-element/database.js";
import dataSource from "emoji-picker-element-data/en/github/data.json?url";

/** Served with the page: nothing is asked of anybody else. */
export const EMOJI_DATA = { dataSource, locale: "en" };

/** An emoji that a shortcode stands for. */
export interface FoundEmoji {
  readonly emoji: string;
  readonly shortcode: string;
}

let database: Database | undefined;

/** Emoji whose names begin with a word. */
export async function findEmoji(query: string, limit: number): Promise<readonly FoundEmoji[]> {
  database ??= new Database(EMOJI_DATA);
  const found = await database.getEmojiBySearchQuery(query);
  return found
    .flatMap((emoji): readonly FoundEmoji[] => {
      if (!("unicode" in emoji)) return [];
      const shortcodes = emoji.shortcodes ?? [];
      const shortcode = shortcodes.find((it) => it.startsWith(query)) ?? shortcodes[0] ?? emoji.annotation;
      return [{ emoji: emoji.unicode, shortcode }];
    })
    .slice(0, limit);
}
