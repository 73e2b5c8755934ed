import { strings } from "../strings.ts";
import { Page } from "./page.tsx";

/** Shown where there is no desktop app behind the window. */
export function BrowserPage() {
  const { title, body, help, web } = strings.browser;
  return (
    <Page title={title}>
      <p>
        {body} {help}
      </p>
      <p className="quiet">{web}</p>
    </Page>
  );
}
