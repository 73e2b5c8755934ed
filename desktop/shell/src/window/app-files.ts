import { readFile } from "node:fs/promises";
import path from "node:path";
import { CONTENT_SECURITY_POLICY } from "./content-rules.ts";
import { isAppUrl } from "./origin.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

const HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=()",
  "cache-control": "no-store",
};

const refuse = (status: number): Response => new Response(null, { status, headers: HEADERS });

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

/** The file of a path; a path without an extension is a route of the page. */
function fileOf(directory: string, pathname: string): string | undefined {
  const name = decoded(pathname);
  if (name === undefined || /[\0\\]/.test(name) || name.split("/").some((part) => part.startsWith(".")))
    return undefined;
  const extension = path.posix.extname(name);
  return path.join(directory, extension === "" ? "index.html" : name);
}

/** Serves the window's own files under `app://hearth/`, and nothing outside of their directory. */
export function createAppFiles(
  directory: string,
): (request: Pick<Request, "url" | "method">) => Promise<Response> {
  return async ({ url, method }) => {
    if (!isAppUrl(url)) return refuse(403);
    if (method !== "GET" && method !== "HEAD") return refuse(405);
    const file = fileOf(directory, new URL(url).pathname);
    const type = file && TYPES[path.extname(file)];
    if (file === undefined || type === undefined) return refuse(404);
    try {
      const bytes = await readFile(file);
      return new Response(method === "HEAD" ? null : new Uint8Array(bytes), {
        headers: { ...HEADERS, "content-type": type },
      });
    } catch {
      return refuse(404);
    }
  };
}
