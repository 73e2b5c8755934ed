import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

/** A content security policy by directive; keywords carry their quotation marks. */
export type PagePolicy = Readonly<Record<string, readonly string[]>>;

export type PageHeaders = (request: IncomingMessage, response: ServerResponse) => void;

const SELF = "'self'";
const NONE = "'none'";

/** For a page that needs nothing but its own files and its own server. */
export const STRICT_PAGE_POLICY: PagePolicy = {
  "default-src": [NONE],
  "script-src": [SELF],
  "style-src": [SELF],
  "img-src": [SELF, "data:"],
  "connect-src": [SELF],
  "base-uri": [NONE],
  "form-action": [NONE],
  "frame-ancestors": [NONE],
};

/**
 * The headers of a page. Nothing that asks for TLS: on plain HTTP those would blank it, and where there is TLS, the
 * proxy that ends it is the one to promise it.
 */
export function createPageHeaders(policy: PagePolicy): PageHeaders {
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: Object.fromEntries(Object.entries(policy).map(([name, values]) => [name, [...values]])),
    },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
    xFrameOptions: { action: "deny" },
    xPoweredBy: false,
  });
  return (request, response) =>
    apply(request, response, (error) => {
      if (error instanceof Error) throw error;
    });
}
