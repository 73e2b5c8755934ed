import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

/** A content security policy by directive. Keywords include their quotation marks. */
export type PagePolicy = Readonly<Record<string, readonly string[]>>;

export type PageHeaders = (request: IncomingMessage, response: ServerResponse) => void;

const SELF = "'self'";
const NONE = "'none'";

/** The policy of a page that needs only its own files and its own server. */
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
 * The headers of a page. They do not demand TLS: on plain HTTP that would leave the page blank, and where there is TLS the
 * proxy that terminates it sets those headers.
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
