import { strings } from "../strings.ts";
import { Button } from "../ui/button.tsx";

interface Props {
  readonly title: string;
  readonly help: string;
  readonly action?: string;
  readonly onAction?: () => void;
}

/** Stands where there is nothing to show, and says what to do about it. */
export function NothingHere({ title, help, action, onAction }: Props) {
  return (
    <div className="nothing">
      <title>{strings.app.title(title)}</title>
      <h2 tabIndex={-1} data-heading="">
        {title}
      </h2>
      <p className="quiet">{help}</p>
      {action !== undefined && (
        <Button tone="primary" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  );
}
