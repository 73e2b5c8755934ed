import type { Credential, JoinedServer, Page, Server, ServerSummary } from "@hearth/contracts";
import { createServer } from "./device.ts";
import { type Answer, call, expectOk } from "./rest.ts";

export type ServerPage = Page<ServerSummary>;

/** Requests about servers. They read the stage at each call, because it is set up later. */
export const discoveryOf = (stage: () => { readonly url: string; readonly owner: Credential }) => {
  const as = ({ token }: Credential) => ({
    get: <Body>(path: string) => call<Body>(stage().url, "GET", path, { token }),
    post: <Body>(path: string, body: object = {}) => call<Body>(stage().url, "POST", path, { token, body }),
    put: <Body>(path: string, body: object = {}) => call<Body>(stage().url, "PUT", path, { token, body }),
    delete: (path: string) => call(stage().url, "DELETE", path, { token }),
  });
  return {
    as,
    publicly: <Body>(path: string) => expectOk<Body>(stage().url, "GET", path),
    make: (
      body: { readonly name: string } & Record<string, unknown>,
      by = stage().owner,
    ): Promise<JoinedServer> => createServer(stage().url, by, body),
    enter: ({ id }: Pick<Server, "id">, who: Credential, body: object = {}) =>
      as(who).post<JoinedServer>(`/api/servers/${id}/join`, body),
  };
};

export const statusesOf = (answers: readonly Answer<unknown>[]): number[] =>
  answers.map(({ status }) => status).toSorted();
