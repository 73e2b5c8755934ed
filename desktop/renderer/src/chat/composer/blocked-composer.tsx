import type { DeviceRoom } from "@hearth/device";
import { RouteLink } from "../../navigation/navigation.tsx";
import { strings } from "../../strings/strings.ts";
import type { WritingObstacle } from "./writing.ts";
import "./blocked-composer.css";

interface Props {
  readonly why: WritingObstacle;
  readonly room: DeviceRoom;
  readonly isHome: boolean;
}

/** Stands in the composer's place and says why there is none. */
export function BlockedComposer({ why, room, isHome }: Props) {
  const { cannotWrite, signIn } = strings.chat;
  if (why !== "needs-sign-in") return <p className="composer-blocked">{cannotWrite[why]}</p>;
  const url = room.signalServerUrl;
  const authorize = isHome ? null : url;
  return (
    <p className="composer-blocked">
      {cannotWrite["needs-sign-in"](URL.canParse(url) ? new URL(url).host : url)}{" "}
      <RouteLink to={{ area: "login", authorize, returnUrl: globalThis.location.pathname }}>
        {signIn}
      </RouteLink>
    </p>
  );
}
