import type { ReactNode } from "react";
import icon from "../assets/icon.svg";
import { strings } from "../strings/strings.ts";
import "./page.css";

/** A page of its own, outside the frame. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="lone-page">
      <img src={icon} alt="" width={56} height={56} />
      <title>{strings.app.title(title)}</title>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
