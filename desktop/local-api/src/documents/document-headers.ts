import { STRICT_PAGE_POLICY, createPageHeaders } from "@hearth/runtime";
import type { PageHeaders } from "@hearth/runtime";

export const referenceHeaders = createPageHeaders(STRICT_PAGE_POLICY);

/** `inlineScripts`: hashes of allowed inline scripts, each as `sha256-…`. */
export const siteHeaders = (inlineScripts: readonly string[]): PageHeaders =>
  createPageHeaders({
    ...STRICT_PAGE_POLICY,
    "script-src": ["'self'", ...inlineScripts.map((hash) => `'${hash}'`)],
  });
