import { useId } from "react";
import type { ReactNode, Ref } from "react";
import "./card.css";

interface Props {
  readonly title: string;
  readonly help?: string;
  /** Stands beside the title. */
  readonly aside?: ReactNode;
  /** With it the heading can be given the focus. */
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly headingId?: string;
  readonly children: ReactNode;
}

export function Card({ title, help, aside, headingRef, headingId, children }: Props) {
  const ownId = useId();
  const id = headingId ?? ownId;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id} ref={headingRef} tabIndex={headingRef === undefined ? undefined : -1}>
          {title}
        </h2>
        {aside !== undefined && <div className="card-aside">{aside}</div>}
      </div>
      {help !== undefined && <p className="quiet">{help}</p>}
      {children}
    </section>
  );
}
