import type { ComponentProps, ReactNode } from "react";
import "./icon-button.css";

interface Props extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  readonly label: string;
  readonly children: ReactNode;
}

/** A button that shows only a picture; its name is a tooltip as well. */
export function IconButton({ label, children, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={className === undefined ? "chat-icon-button" : `chat-icon-button ${className}`}
      aria-label={label}
      title={label}
    >
      {children}
    </button>
  );
}
