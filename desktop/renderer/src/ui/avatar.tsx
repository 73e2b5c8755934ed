import { initialsOf, toneOf } from "./initials.ts";
import "./avatar.css";

interface Props {
  /** Decides the colour, so that it stays when the name changes. */
  readonly id: string;
  readonly name: string;
  readonly shape?: "user" | "server";
  readonly size?: "small" | "medium" | "large";
}

/** The initials of a user or a server without a picture. Its name stands beside it, so it is decoration. */
export function Avatar({ id, name, shape = "user", size = "medium" }: Props) {
  return (
    <span className="avatar" data-tone={toneOf(id)} data-shape={shape} data-size={size} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
