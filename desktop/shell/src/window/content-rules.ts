import { isAppUrl } from "./origin.ts";
import type { Browser } from "./browser.ts";
import type { ContentRules, PermissionRequest } from "../ports.ts";

/** Our own page may use the microphone, notify, and copy text on request; nothing else may do anything. */
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

/** The only allowed style element: the emoji picker adds it to its shadow root, always the same. */
const EMOJI_PICKER_STYLE = "'sha256-rg2BpwZ4T9EADaas/dlxn0KsISPDXXIabE9pnJ++3UQ='";

/**
 * Scripts, styles and pictures come from the app's own files. The page connects to its user's instances, wherever
 * they are. Style attributes are allowed, because the emoji picker uses them for position and size.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${EMOJI_PICKER_STYLE}`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self' https: http: wss: ws:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join("; ");
