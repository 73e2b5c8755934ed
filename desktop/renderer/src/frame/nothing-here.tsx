import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import "./nothing-here.css";

interface Props {
  readonly title: string;
  readonly help: string;
  /** 1 where it is all there is on the page. */
  readonly level?: 1 | 2;
  readonly action?: string;
  readonly onAction?: () => void;
}

/** Stands where there is nothing to show, and says what to do about it. */
export function NothingHere({ title, help, level = 2, action, onAction }: Props) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className="nothing">
      <title>{strings.app.title(title)}</title>
      <Heading className="nothing-title" tabIndex={-1} data-heading="">
        {title}
      </Heading>
      <p className="quiet">{help}</p>
      {action !== undefined && (
        <Button tone="primary" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  );
}
