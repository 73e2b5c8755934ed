import type { DeviceMessage } from "@hearth/device";

export interface ResultGroup {
  readonly key: string;
  readonly roomId: string;
  readonly channelId: string | null;
  readonly messages: readonly DeviceMessage[];
}

/** Messages by where they were said, the place of the newest first; within one the newest first. */
export function groupResults(found: readonly DeviceMessage[]): readonly ResultGroup[] {
  const groups = new Map<string, ResultGroup & { messages: DeviceMessage[] }>();
  for (const message of found) {
    const { roomId, channelId } = message;
    const key = `${roomId}/${channelId ?? ""}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, roomId, channelId, messages: [message] });
    else group.messages.push(message);
  }
  return [...groups.values()];
}

const literal = (word: string): string => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** A text on one line around the first word that was looked for, in parts of which some are hits. */
export function excerptOf(
  line: string,
  query: string,
  length = 140,
): readonly { readonly text: string; readonly isHit: boolean }[] {
  const words = query.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [{ text: line.slice(0, length), isHit: false }];
  const pattern = new RegExp(words.map(literal).join("|"), "giu");
  const first = line.search(pattern);
  const from = first > length / 2 ? first - Math.floor(length / 3) : 0;
  const shown = line.slice(from, from + length).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  const parts: { text: string; isHit: boolean }[] = [];
  let end = 0;
  for (const { index, 0: hit } of shown.matchAll(pattern)) {
    if (index > end) parts.push({ text: shown.slice(end, index), isHit: false });
    parts.push({ text: hit, isHit: true });
    end = index + hit.length;
  }
  if (end < shown.length) parts.push({ text: shown.slice(end), isHit: false });
  const before = from > 0 ? [{ text: "…", isHit: false }] : [];
  const after = from + length < line.length ? [{ text: "…", isHit: false }] : [];
  return [...before, ...parts, ...after];
}
