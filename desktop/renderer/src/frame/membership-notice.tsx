import type { SavedServer } from "@hearth/client";
import { useClient } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { navigate } from "../navigation/navigation.tsx";
import { HOME } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import { useAct } from "../context/use-act.ts";
import "./notice.css";

const text = strings.shell.membership;

/** That a room is not open to this account any more, and what remains. */
export function MembershipNotice({ server: { room, joinState } }: { server: SavedServer }) {
  const { servers } = useClient();
  const { open } = useShell();
  const act = useAct();
  const forget = (): void =>
    act(async () => {
      await servers.leave(room.id);
      navigate(HOME);
    });
  if (joinState !== "banned" && joinState !== "gone" && joinState !== "needs-invite") return null;
  const titles = {
    banned: text.bannedTitle(room.name),
    gone: text.goneTitle(room.name),
    "needs-invite": text.inviteTitle(room.name),
  };
  return (
    <div className="notice" data-tone="bad" role="status">
      <p>
        <strong>{titles[joinState]}</strong> {joinState === "needs-invite" && text.inviteHelp}
        {joinState === "gone" && text.goneHelp} {text.kept} {text.forgetHelp}
      </p>
      {joinState === "needs-invite" && (
        <>
          <Button tone="primary" onClick={() => open({ kind: "join" })}>
            {text.useInvite}
          </Button>
          <Button onClick={() => open({ kind: "request", server: room.signalServerUrl, serverId: room.id })}>
            {text.ask}
          </Button>
        </>
      )}
      <Button onClick={forget}>{text.forget}</Button>
    </div>
  );
}
