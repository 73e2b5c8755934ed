import { isAppUrl } from "./origin.ts";
import type { Browser } from "./browser.ts";
import type { ContentRules, PermissionRequest } from "./ports.ts";

/** Our own page may hear its user, notify, and copy text that it was asked to copy; nothing may do anything else. */
export function mayUse({ permission, requestingUrl, isMainFrame, media }: PermissionRequest): boolean {
  if (!isMainFrame || !isAppUrl(requestingUrl)) return false;
  if (permission === "media") return media.length > 0 && media.every((kind) => kind === "audio");
  return permission === "notifications" || permission === "clipboard-sanitized-write";
}

export const createContentRules = (browser: Browser): ContentRules => ({
  mayNavigate: isAppUrl,
  leave: (url) => {
    browser.openLink(url);
  },
  mayUse,
});

/** Scripts and styles come from the app's own files; the page itself talks to nobody but the main process. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join("; ");
