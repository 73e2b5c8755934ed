import type { RouteContract } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";

/** The parts of a call, typed by its route, in the form in which they are sent. */
export interface CallParts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Params are checked: `..` would lead to another route. */
function pathOf(route: RouteContract, params: CallParts["params"] = {}): string {
  const checked = route.params?.safeParse(params);
  if (checked?.success === false) {
    const issues = checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    throw new ClientProblem("INVALID_REQUEST", { issues });
  }
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function queryOf(query: CallParts["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

export const urlOf = (server: string, route: RouteContract, { params, query }: CallParts): string =>
  `${server}${pathOf(route, params)}${queryOf(query)}`;

/** Redirects are errors, so that tokens and passwords are never sent elsewhere. */
export function requestOf(
  route: RouteContract,
  { body }: CallParts,
  token: string | null,
  signal: AbortSignal,
): RequestInit {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token !== null) headers["authorization"] = `Bearer ${token}`;
  return {
    method: route.method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  };
}
