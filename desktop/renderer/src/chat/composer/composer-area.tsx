import type { Place } from "@hearth/client";
import type { ChannelPlace } from "@hearth/store";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { BlockedComposer } from "./blocked-composer.tsx";
import { Composer } from "./composer.tsx";
import type { ComposerProps } from "./composer.tsx";
import { writingIn } from "./writing.ts";

interface Props extends Omit<ComposerProps, "place" | "delayed" | "maxBytes"> {
  readonly place: Place;
  readonly at: ChannelPlace;
}

/** The composer, or why there is none. */
export function ComposerArea({ place, at, ...rest }: Props) {
  const { accounts, connections } = useClient();
  const { room, standing } = place;
  const url = room.signalServerUrl;
  const server = useReadable(accounts.state, ({ servers }) => servers.find((it) => it.url === url));
  const connection = useReadable(connections.states, (states) => states.get(url));
  const writing = writingIn(standing, {
    authorization: server?.authorization ?? "needs-sign-in",
    status: connection?.status ?? "idle",
  });
  if (!writing.may) return <BlockedComposer why={writing.why} room={room} isHome={server?.isHome ?? false} />;
  return (
    <Composer {...rest} place={at} delayed={writing.delayed} maxBytes={connection?.limits?.messageBytes} />
  );
}
