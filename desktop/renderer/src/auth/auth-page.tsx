import type { ReactNode } from "react";
import icon from "../assets/icon.svg";
import { strings } from "../strings/strings.ts";
import "../ui/button.css";
import "../ui/fields/field.css";
import "./auth-page.css";

interface Props {
  readonly title: string;
  /** Stands before the heading, where it belongs to the sentence. */
  readonly above?: string;
  readonly lead?: string;
  readonly children: ReactNode;
}

/** A page for somebody who is not in yet. */
export function AuthPage({ title, above, lead, children }: Props) {
  return (
    <main className="auth">
      <title>{strings.app.title(title)}</title>
      <div className="auth-brand">
        <img src={icon} alt="" width={44} height={44} />
        <span>{strings.app.name}</span>
      </div>
      <div className="auth-card">
        <header className="auth-head">
          {above !== undefined && <p className="quiet">{above}</p>}
          <h1>{title}</h1>
          {lead !== undefined && <p className="quiet">{lead}</p>}
        </header>
        {children}
      </div>
    </main>
  );
}
