import type { RouteContract } from "@hearth/contracts";

/** What a path and a method lead to: a route, the methods the path does have, or nothing. */
export type RouteMatch =
  | { readonly kind: "route"; readonly route: RouteContract }
  | { readonly kind: "method"; readonly allow: readonly string[] }
  | { readonly kind: "none" };

export interface RouteTable {
  find(method: string, path: string): RouteMatch;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<string, RouteContract>;
}

const NONE: RouteMatch = { kind: "none" };
const node = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() });

function childOf(parent: Node, segment: string): Node {
  if (segment.startsWith(":")) return (parent.parameter ??= node());
  const child = parent.literals.get(segment) ?? node();
  parent.literals.set(segment, child);
  return child;
}

/** A literal segment wins over a parameter, whatever the order of the routes. */
function descend(from: Node, segments: readonly string[], index: number): Node | undefined {
  const segment = segments[index];
  if (segment === undefined) return from.routes.size > 0 ? from : undefined;
  const literal = from.literals.get(segment);
  const found = literal && descend(literal, segments, index + 1);
  if (found || !from.parameter || segment === "") return found;
  return descend(from.parameter, segments, index + 1);
}

/** Paths compare exactly: case and trailing slashes count. */
export function createRouteTable(routes: readonly RouteContract[]): RouteTable {
  const root = node();
  for (const route of routes) {
    let place = root;
    for (const segment of route.path.split("/")) place = childOf(place, segment);
    place.routes.set(route.method.toUpperCase(), route);
  }
  return {
    find(method, path) {
      const place = descend(root, path.split("/"), 0);
      if (!place) return NONE;
      const route = place.routes.get(method === "HEAD" ? "GET" : method);
      if (route) return { kind: "route", route };
      const methods = [...place.routes.keys()];
      return { kind: "method", allow: methods.includes("GET") ? ["HEAD", ...methods] : methods };
    },
  };
}
