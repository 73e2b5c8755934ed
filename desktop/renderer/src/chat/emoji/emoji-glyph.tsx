import { useConversation } from "../conversation-context.tsx";
import "./emoji-glyph.css";

/** An emoji, or the picture of one of the account's own; one that this account does not have shows its shortcode. */
export function EmojiGlyph({ emoji }: { emoji: string }) {
  const { emoji: own } = useConversation();
  const found = emoji.startsWith(":") ? own.get(emoji.slice(1, -1)) : undefined;
  if (found === undefined) return <span className="glyph">{emoji}</span>;
  return <img className="custom-emoji" src={found.url} alt={emoji} />;
}
