import { STRICT_PAGE_POLICY, createPageHeaders } from "@hearth/runtime";

const SELF = "'self'";

/** For the reference page and the status page. */
export const pageHeaders = createPageHeaders(STRICT_PAGE_POLICY);

/** The web client connects to every instance at which its user signs in. It loads media only from its own origin. */
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
