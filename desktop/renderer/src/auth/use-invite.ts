import { moderationRoutes } from "@hearth/contracts";
import { useQuery } from "@tanstack/react-query";
import { ClientProblem } from "@hearth/device";
import { useClient, useReadable } from "../context/client-context.tsx";
import type { Route } from "../navigation/routes.ts";
import { serverTyped } from "./sign-in-input.ts";

export type InviteRoute = Extract<Route, { readonly area: "invite" }>;

/** The signaling server of an invite: the one it names, else the one that served the page, else home. */
export function useInviteServer({ server }: InviteRoute): string | null {
  const { accounts, platform } = useClient();
  const homeUrl = useReadable(accounts.state, (state) => state.homeUrl);
  if (server !== null) return serverTyped(server);
  return platform.kind === "web" ? platform.origin : homeUrl;
}

/** The server's word that there is no such invite, and no trouble that passes. */
export const isGone = (error: unknown): boolean =>
  error instanceof ClientProblem && (error.code === "NOT_FOUND" || error.code === "INVALID_REQUEST");

/** What an invite leads to; anybody who holds its code may know. */
export function useInvite(url: string, code: string) {
  const { rest } = useClient();
  return useQuery({
    queryKey: ["invite", url, code],
    queryFn: ({ signal }) => rest.call(url, moderationRoutes.getInvite, { params: { code }, signal }),
    retry: false,
  });
}
