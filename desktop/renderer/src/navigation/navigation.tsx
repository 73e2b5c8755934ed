import type { ReactNode } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { navigate as navigateTo } from "wouter/use-browser-location";
import { hrefOf, routeOf } from "./routes.ts";
import type { Route } from "./routes.ts";

/** Where somebody is now. */
export function useRoute(): Route {
  const [path] = useLocation();
  const search = useSearch();
  return routeOf(search === "" ? path : `${path}?${search}`);
}

export const navigate = (to: Route, options: { readonly replace?: boolean } = {}): void =>
  navigateTo(hrefOf(to), options);

interface RouteLinkProps {
  readonly to: Route;
  readonly className?: string;
  readonly "aria-current"?: "page" | undefined;
  readonly "aria-label"?: string;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

/** A link inside the client; opening it in another tab works as for every link. */
export function RouteLink({ to, children, ...rest }: RouteLinkProps) {
  return (
    <Link href={hrefOf(to)} {...rest}>
      {children}
    </Link>
  );
}
