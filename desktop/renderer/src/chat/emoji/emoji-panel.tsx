import Picker from "emoji-picker-element/picker.js";
import { useEffect, useRef } from "react";
import { strings } from "../../strings/strings.ts";
import type { CustomEmoji } from "./custom-emoji.ts";
import { EMOJI_DATA } from "./emoji-data.ts";

interface Props {
  readonly custom: ReadonlyMap<string, CustomEmoji>;
  /** An emoji, or `:shortcode:` of one of the account's own. */
  readonly onPick: (emoji: string) => void;
}

/** The picker is an element of its own; it is loaded when somebody first opens it. */
export function EmojiPanel({ custom, onPick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  });
  useEffect(() => {
    const picker = new Picker({
      ...EMOJI_DATA,
      i18n: strings.chat.picker,
      customEmoji: [...custom.values()].map(({ shortcode, url }) => ({
        name: shortcode,
        shortcodes: [shortcode],
        url,
      })),
    });
    picker.addEventListener("emoji-click", ({ detail: { unicode, name } }) => {
      if (unicode !== undefined) pick.current(unicode);
      else if (name !== undefined) pick.current(`:${name}:`);
    });
    place.current?.append(picker);
    const frame = requestAnimationFrame(() => picker.shadowRoot?.querySelector("input")?.focus());
    return () => {
      cancelAnimationFrame(frame);
      picker.remove();
    };
  }, [custom]);
  return <div className="emoji-panel" ref={place} />;
}
