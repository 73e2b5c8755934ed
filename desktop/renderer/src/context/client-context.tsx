import { createContext, use } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Client } from "@hearth/client";
import type { Readable } from "@hearth/client";

const ClientContext = createContext<Client | undefined>(undefined);

export function ClientProvider({ client, children }: { client: Client; children: ReactNode }) {
  return <ClientContext value={client}>{children}</ClientContext>;
}

export function useClient(): Client {
  const client = use(ClientContext);
  if (client === undefined) throw new Error("This part of the page needs the client");
  return client;
}

/** The part of a state that a screen shows; it is rendered again when that part changes. */
export const useReadable = <State, Part>(readable: Readable<State>, select: (state: State) => Part): Part =>
  useStore(readable, select);
