import "../styles/seal.css";
import { initialsOf, toneOf } from "./initials.ts";

interface Props {
  /** Decides the colour, so that it stays when the name changes. */
  readonly id: string;
  readonly name: string;
  readonly shape?: "person" | "place";
  readonly size?: "small" | "medium" | "large";
}

/** The initials of a person or a place that has no picture; its name stands beside it, so it is decoration. */
export function Seal({ id, name, shape = "person", size = "medium" }: Props) {
  return (
    <span className="seal" data-tone={toneOf(id)} data-shape={shape} data-size={size} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
