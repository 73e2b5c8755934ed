/** Characters that are read as markdown in one go; what hostile text costs grows with the square of it. */
export const CHUNK_LENGTH = 4_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Lines that belong together, with the blank line behind them; a fenced block is never taken apart. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const end = (): void => {
    if (lines.length > 0) paragraphs.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      end();
      fence = mark;
      lines.push(line);
      continue;
    }
    lines.push(line);
    if (fence === null) {
      if (line.trim() === "") end();
    } else if (mark?.startsWith(fence) === true && line.trim() === mark) {
      fence = null;
      end();
    }
  }
  end();
  return paragraphs;
}

export interface Chunk {
  readonly text: string;
  /** Too long to be read as markdown. */
  readonly isPlain: boolean;
}

/** The parts of a text that are read as markdown one by one, so that its cost is bounded. */
export function chunksOf(text: string): readonly Chunk[] {
  if (text.length <= CHUNK_LENGTH) return [{ text, isPlain: false }];
  const chunks: Chunk[] = [];
  let together = "";
  const flush = (): void => {
    if (together !== "") chunks.push({ text: together, isPlain: false });
    together = "";
  };
  for (const paragraph of paragraphsOf(text)) {
    const isFenced = FENCE.test(paragraph);
    if (!isFenced && together.length + paragraph.length < CHUNK_LENGTH) {
      together = together === "" ? paragraph : `${together}\n${paragraph}`;
      continue;
    }
    flush();
    if (isFenced) chunks.push({ text: paragraph, isPlain: false });
    else if (paragraph.length > CHUNK_LENGTH) chunks.push({ text: paragraph, isPlain: true });
    else together = paragraph;
  }
  flush();
  return chunks;
}
