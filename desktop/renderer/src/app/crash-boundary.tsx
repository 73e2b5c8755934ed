import { Component } from "react";
import type { ReactNode } from "react";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "./page.tsx";

interface State {
  readonly hasCrashed: boolean;
}

/** What remains of the window when a part of it throws. */
export class CrashBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasCrashed: false };

  static getDerivedStateFromError(): State {
    return { hasCrashed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasCrashed) return this.props.children;
    return (
      <Page title={strings.app.crashed}>
        <p>{strings.app.crashedHelp}</p>
        <p>
          <Button tone="primary" onClick={() => location.reload()}>
            {strings.app.reload}
          </Button>
        </p>
      </Page>
    );
  }
}
