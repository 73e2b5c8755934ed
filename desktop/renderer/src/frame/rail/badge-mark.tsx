import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import type { Badge } from "./badge.ts";
import "./badge-mark.css";

const { shell: text } = strings;

/** The badge in words, for the name of what wears it. */
export function badgeText(badge: Badge | null): string {
  switch (badge?.kind) {
    case "sign-in":
      return text.needsSignIn;
    case "mentions":
      return text.mentionCount(format.count(badge.count), badge.count === 1);
    case "unread":
      return text.unread;
    case undefined:
      return "";
  }
}

/** The badge for eyes alone. */
export function BadgeMark({ badge }: { badge: Badge | null }) {
  if (badge === null) return null;
  return (
    <span className="badge" data-kind={badge.kind} aria-hidden="true">
      {badge.kind === "sign-in" && "!"}
      {badge.kind === "mentions" && (badge.count > 99 ? "99+" : format.count(badge.count))}
    </span>
  );
}

/** A name with what is to be said of it: `Lindenhof, 2 mentions, muted`. */
export const named = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(", ");
