import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import "./hint.css";

interface Props {
  readonly text: ReactNode;
  readonly side?: "top" | "bottom" | "inline-end" | "inline-start";
  readonly children: ReactElement;
}

/** Shows for eyes what a control is called; screen readers have its name already. */
export function Hint({ text, side = "bottom", children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner className="hint-area" side={side} sideOffset={8} collisionPadding={8}>
          <Tooltip.Popup className="hint">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
