import { ProblemError } from "@hearth/contracts";
import { INTERNAL_HEADERS, refuseUpgrade } from "@hearth/runtime";
import type { ServiceModule } from "@hearth/runtime";
import type { Upstream } from "./upstream.ts";

/** A service in this process. It gets the request itself, without a hop. */
export function createLocalUpstream(service: ServiceModule): Upstream {
  const away = (): ProblemError => new ProblemError("UNAVAILABLE", "The service is not ready");
  return {
    name: service.name,
    ready: () => service.ready(),
    async handle(request, response) {
      if (!service.routes || !service.ready()) throw away();
      service.routes(request, response);
    },
    upgrade(request, socket, head) {
      if (!service.upgrade || !service.ready()) {
        refuseUpgrade(socket, away(), request.headers[INTERNAL_HEADERS.requestId]);
      } else service.upgrade(request, socket, head);
    },
    close: async () => undefined,
  };
}
