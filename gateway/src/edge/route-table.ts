import type { RouteContract } from "@hearth/contracts";

/** The match of a method and a path: a route, the methods of a known path, or nothing. */
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

/** A literal segment takes precedence over a parameter, whatever the order of the routes. */
function descend(from: Node, segments: readonly string[], index: number): Node | undefined {
  const segment = segments[index];
  if (segment === undefined) return from.routes.size > 0 ? from : undefined;
  const literal = from.literals.get(segment);
  const found = literal && descend(literal, segments, index + 1);
  if (found || !from.parameter || segment === "") return found;
  return descend(from.parameter, segments, index + 1);
}

/** Compares paths exactly, with case and trailing slashes. */
export function createRouteTable(routes: readonly RouteContract[]): RouteTable {
  const root = node();
  for (const route of routes) {
    let current = root;
    for (const segment of route.path.split("/")) current = childOf(current, segment);
    current.routes.set(route.method.toUpperCase(), route);
  }
  return {
    find(method, path) {
      const found = descend(root, path.split("/"), 0);
      if (!found) return NONE;
      const route = found.routes.get(method === "HEAD" ? "GET" : method);
      if (route) return { kind: "route", route };
      const methods = [...found.routes.keys()];
      return { kind: "method", allow: methods.includes("GET") ? ["HEAD", ...methods] : methods };
    },
  };
}
