import { app, session } from "electron";
import type { WebContents } from "electron";
import type { ContentRules, SecurityPort } from "../ports.ts";

function guardContents(contents: WebContents, rules: ContentRules): void {
  // `will-frame-navigate` also covers the main frame; `will-redirect` covers server redirects.
  for (const event of ["will-navigate", "will-frame-navigate", "will-redirect"] as const) {
    const guard = (details: {
      readonly url: string;
      readonly isMainFrame: boolean;
      preventDefault(): void;
    }) => {
      if (rules.mayNavigate(details.url)) return;
      details.preventDefault();
      if (event === "will-navigate") rules.leave(details.url);
    };
    // Each event name has its own overload, and all three have these fields.
    contents.on(event as "will-navigate", guard);
  }
  contents.setWindowOpenHandler(({ url }) => {
    rules.leave(url);
    return { action: "deny" };
  });
  contents.on("will-attach-webview", (event) => {
    event.preventDefault();
  });
}

function guardSession(rules: ContentRules): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const media = "mediaTypes" in details ? (details.mediaTypes ?? []) : [];
    const { requestingUrl, isMainFrame } = details;
    answer(rules.mayUse({ permission, requestingUrl, isMainFrame, media }));
  });
  defaultSession.setPermissionCheckHandler((_contents, permission, origin, details) => {
    const media = details.mediaType === undefined ? [] : [details.mediaType];
    return rules.mayUse({ permission, requestingUrl: origin, isMainFrame: details.isMainFrame, media });
  });
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.setDisplayMediaRequestHandler((_request, answer) => {
    answer({});
  });
  defaultSession.on("will-download", (event) => {
    event.preventDefault();
  });
}

export const createSecurityPort = (): SecurityPort => ({
  enforce(rules) {
    app.on("web-contents-created", (_event, contents) => {
      guardContents(contents, rules);
    });
    guardSession(rules);
  },
});
