import { z } from "zod";

/** In the built site's folder, but not served. */
export const SITE_MANIFEST = "site-manifest.json";

/** The manifest of a built documentation site. */
export const siteManifestSchema = z.object({
  /** Hashes of the inline scripts, as in a content security policy. */
  inlineScripts: z.array(z.string().regex(/^sha256-[A-Za-z0-9+/]{43}=$/)),
  /** All files to serve, relative to the folder. */
  files: z.array(z.string()),
});

export type SiteManifest = z.infer<typeof siteManifestSchema>;
