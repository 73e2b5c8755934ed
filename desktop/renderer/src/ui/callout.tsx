import type { ReactNode } from "react";
import "./callout.css";

interface Props {
  readonly tone: "warning" | "bad";
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Callout({ tone, title, children, actions }: Props) {
  return (
    <div className="callout" data-tone={tone}>
      <div>
        <p className="callout-title">{title}</p>
        {children}
      </div>
      {actions !== undefined && <div className="callout-actions">{actions}</div>}
    </div>
  );
}
