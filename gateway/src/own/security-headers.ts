import { STRICT_PAGE_POLICY, createPageHeaders } from "@hearth/runtime";

const SELF = "'self'";

/** Of the reference page and of the one at `/`. */
export const pageHeaders = createPageHeaders(STRICT_PAGE_POLICY);

/** The web client speaks to whichever signaling servers its user signs in at, and shows pictures of nobody else. */
export const clientHeaders = createPageHeaders({
  ...STRICT_PAGE_POLICY,
  "default-src": [SELF],
  "style-src": [SELF, "'unsafe-inline'"],
  "img-src": [SELF, "data:", "blob:"],
  "media-src": [SELF, "data:", "blob:"],
  "connect-src": [SELF, "data:", "blob:", "http:", "https:", "ws:", "wss:"],
  "worker-src": [SELF, "blob:"],
  "object-src": ["'none'"],
  "base-uri": [SELF],
  "form-action": [SELF],
});
