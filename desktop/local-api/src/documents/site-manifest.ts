import { z } from "zod";

/** Lies in the built site's folder, and is not served. */
export const SITE_MANIFEST = "site-manifest.json";

/** What the build of the documentation site says about it. */
export const siteManifestSchema = z.object({
  /** The scripts within its pages, as a content security policy names them. */
  inlineScripts: z.array(z.string().regex(/^sha256-[A-Za-z0-9+/]{43}=$/)),
  /** Every file to be served, below the folder. */
  files: z.array(z.string()),
});

export type SiteManifest = z.infer<typeof siteManifestSchema>;
