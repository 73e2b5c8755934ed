import type { SavedServer } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { BlockedComposer } from "./blocked-composer.tsx";
import { Composer } from "./composer.tsx";
import type { ComposerProps } from "./composer.tsx";
import { writingIn } from "./writing.ts";

interface Props extends Omit<ComposerProps, "place" | "delayed" | "maxBytes"> {
  readonly server: SavedServer;
  readonly at: ChannelRef;
}

/** The composer, or why there is none. */
export function ComposerArea({ server: place, at, ...rest }: Props) {
  const { accounts, connections } = useClient();
  const { room, joinState } = place;
  const url = room.signalServerUrl;
  const server = useReadable(accounts.state, ({ instances }) => instances.find((it) => it.url === url));
  const connection = useReadable(connections.states, (states) => states.get(url));
  const writing = writingIn(joinState, {
    authorization: server?.authorization ?? "needs-sign-in",
    status: connection?.status ?? "idle",
  });
  if (!writing.may) return <BlockedComposer why={writing.why} room={room} isHome={server?.isHome ?? false} />;
  return <Composer {...rest} at={at} delayed={writing.delayed} maxBytes={connection?.limits?.messageBytes} />;
}
