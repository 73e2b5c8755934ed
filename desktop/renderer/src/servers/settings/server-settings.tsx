import { Tabs } from "@base-ui/react/tabs";
import { useEffect } from "react";
import type { DeviceRoom } from "@hearth/device";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { isOwner } from "../../people/member-actions.ts";
import { strings } from "../../strings/strings.ts";
import { PaneDialog } from "../../ui/overlays/pane-dialog.tsx";
import { BansPanel } from "./bans-panel.tsx";
import { ChannelsPanel } from "./channels-panel.tsx";
import { InvitePanel } from "../invites/invite-panel.tsx";
import { OverviewPanel } from "./overview-panel.tsx";
import { OwnershipPanel } from "./ownership-panel.tsx";
import { RequestsPanel } from "./requests-panel.tsx";
import "../panels.css";
import "../tabs.css";

const text = strings.servers.settings;

const TABS = ["overview", "channels", "requests", "bans", "invites", "ownership"] as const;
type Tab = (typeof TABS)[number];

function Panel({ tab, room, onClose }: { tab: Tab; room: DeviceRoom; onClose: () => void }) {
  switch (tab) {
    case "overview":
      return <OverviewPanel room={room} />;
    case "channels":
      return <ChannelsPanel room={room} />;
    case "requests":
      return <RequestsPanel room={room} />;
    case "bans":
      return <BansPanel room={room} />;
    case "invites":
      return <InvitePanel room={room} />;
    case "ownership":
      return <OwnershipPanel room={room} onClose={onClose} />;
  }
}

/** Everything that the owner and the moderators decide about a room. */
export function ServerSettings({ roomId, onClose }: { roomId: string; onClose: () => void }) {
  const { servers } = useClient();
  const room = useReadable(servers.state, (state) => state.servers.get(roomId)?.room);
  const isGone = room === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (room === undefined) return null;
  const tabs = TABS.filter((tab) => tab !== "ownership" || isOwner(room.role));
  return (
    <PaneDialog title={text.title(room.name)} size="wide" onClose={onClose}>
      <Tabs.Root defaultValue="overview" className="tabs">
        <Tabs.List className="tab-list" aria-label={text.title(room.name)}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab} className="tab">
              {text.tabs[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab} className="tab-panel">
            <Panel tab={tab} room={room} onClose={onClose} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </PaneDialog>
  );
}
