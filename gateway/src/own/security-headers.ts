import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

type Directives = Readonly<Record<string, readonly string[]>>;

export type SecurityHeaders = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Nothing that asks for TLS: on plain HTTP those would blank the pages, and where there is TLS, the proxy that
 * ends it is the one to promise it.
 */
function headers(directives: Directives): SecurityHeaders {
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: Object.fromEntries(Object.entries(directives).map(([name, values]) => [name, [...values]])),
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

const SELF = "'self'";
const NONE = "'none'";

const ours: Directives = {
  "default-src": [NONE],
  "script-src": [SELF],
  "style-src": [SELF],
  "img-src": [SELF, "data:"],
  "connect-src": [SELF],
  "base-uri": [NONE],
  "form-action": [NONE],
  "frame-ancestors": [NONE],
};

export const landingHeaders = headers(ours);

/** The reference page draws its own styles. */
export const docsHeaders = headers({ ...ours, "style-src": [SELF, "'unsafe-inline'"] });

/** The web client speaks to whichever signaling servers its user signs in at. */
export const clientHeaders = headers({
  ...ours,
  "default-src": [SELF],
  "style-src": [SELF, "'unsafe-inline'"],
  "img-src": [SELF, "data:", "blob:", "http:", "https:"],
  "media-src": [SELF, "data:", "blob:"],
  "connect-src": [SELF, "data:", "blob:", "http:", "https:", "ws:", "wss:"],
  "worker-src": [SELF, "blob:"],
  "object-src": [NONE],
  "base-uri": [SELF],
  "form-action": [SELF],
});
