/**
 * The format of conversations in `material/`: a heading `== channel`, with months (`3-5`, `11-2`) for a season, `once
 * 6` for a single time in June, and `@5-8` for hours of the day. Then lines `speaker: text`, each with any of
 * `[reply]`, `[reply 2]` (to the previous line, or that many before), `[edit: new text]`, `[removed]`, `[file:
 * name]`, `[text: name]` (a file from `texts.ts`) and `[+😂 ben, nora]`.
 */
export interface Line {
  readonly speaker: string;
  readonly text: string;
  /** How many lines back the answered one is; 0 for no reply. */
  readonly replyBack: number;
  readonly edit: string | null;
  readonly removed: boolean;
  readonly files: readonly string[];
  readonly texts: readonly string[];
  readonly reactions: readonly { readonly emoji: string; readonly by: readonly string[] }[];
}

export interface Conversation {
  readonly channel: string;
  readonly isOnce: boolean;
  /** 1 to 12; all months without a season. */
  readonly months: readonly number[];
  readonly hours: Hours | null;
  readonly lines: readonly Line[];
}

/** Hours of the day, both included. */
export type Hours = readonly [from: number, to: number];

export function hoursOf(text: string | undefined): Hours | null {
  const [from, to = from] = text?.split("-").map(Number) ?? [];
  return from === undefined || to === undefined ? null : [from, to];
}

const everyMonth = Array.from({ length: 12 }, (_, index) => index + 1);

function monthsOf(text: string | undefined): readonly number[] {
  if (text === undefined) return everyMonth;
  const [from = 1, to = from] = text.split("-").map(Number);
  return everyMonth.filter((month) =>
    from <= to ? month >= from && month <= to : month >= from || month <= to,
  );
}

export function readLine(source: string): Line {
  const [, speaker, rest = ""] = /^(\w+): (.*)$/.exec(source) ?? [];
  if (speaker === undefined) throw new SyntaxError(`not a line of a conversation: ${source}`);
  const notes: (readonly [kind: string, value: string])[] = [];
  const text = rest.replace(
    / ?\[(reply|removed|edit:|file:|text:|\+)([^\]]*)\]/g,
    (_, kind: string, value) => {
      notes.push([kind, String(value).trim()]);
      return "";
    },
  );
  if (/[[\]]/.test(text)) throw new SyntaxError(`a note that means nothing: ${source}`);
  const all = (wanted: string): string[] =>
    notes.filter(([kind]) => kind === wanted).map(([, value]) => value);
  const [reply] = all("reply");
  return {
    speaker,
    text,
    replyBack: reply === undefined ? 0 : Number(reply || "1"),
    edit: all("edit:")[0] ?? null,
    removed: all("removed").length > 0,
    files: all("file:"),
    texts: all("text:"),
    reactions: all("+").map((value) => {
      const [emoji = "", ...by] = value.split(/,? /);
      return { emoji, by };
    }),
  };
}

function readConversation(block: string): Conversation {
  const [heading = "", ...lines] = block.trim().split("\n");
  const [, channel, once, months, hours] =
    /^(\w+)( once)?(?: (\d+(?:-\d+)?))?(?: @(\d+-\d+))?$/.exec(heading) ?? [];
  if (channel === undefined) throw new SyntaxError(`not a heading: ${heading}`);
  return {
    channel,
    isOnce: once !== undefined,
    months: monthsOf(months),
    hours: hoursOf(hours),
    lines: lines.map(readLine),
  };
}

/** The text between two headings is one block. */
export const blocksOf = (script: string): readonly string[] => script.split(/^== /m).slice(1);

export const readScript = (script: string): readonly Conversation[] => blocksOf(script).map(readConversation);
