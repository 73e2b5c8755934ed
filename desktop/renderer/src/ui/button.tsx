import type { ComponentProps } from "react";
import "./button.css";

interface Props extends ComponentProps<"button"> {
  readonly tone?: "plain" | "quiet" | "primary" | "danger";
  /** A button at work stays where the focus is, so it is not disabled; it only does nothing. */
  readonly busy?: boolean;
}

export function Button({ tone = "plain", busy = false, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className="button"
      data-tone={tone}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
