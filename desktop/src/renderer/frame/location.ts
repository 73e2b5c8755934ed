import { createSource } from "../state/observable.ts";
import type { Observable } from "../state/observable.ts";
import { hrefOf, routeOf } from "./routes.ts";
import type { Route } from "./routes.ts";

/** Where the window is, as the hash of its address says: it loads from one file, over any scheme. */
export function createLocation(window: Window): Observable<Route> {
  const source = createSource(routeOf(window.location.hash));
  window.addEventListener("hashchange", () => {
    const route = routeOf(window.location.hash);
    if (hrefOf(route) !== hrefOf(source.get())) source.set(route);
  });
  return source;
}
