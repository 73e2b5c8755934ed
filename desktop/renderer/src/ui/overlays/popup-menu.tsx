import { Menu } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { Icon } from "../icon.tsx";
import type { IconName } from "../icon.tsx";
import "./popup-menu.css";

interface Props {
  readonly trigger: ReactElement;
  readonly side?: "top" | "bottom" | "inline-end";
  readonly align?: "start" | "end" | "center";
  readonly children: ReactNode;
}

export function PopupMenu({ trigger, side = "bottom", align = "start", children }: Props) {
  return (
    <Menu.Root>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner className="menu-area" side={side} align={align} sideOffset={6} collisionPadding={8}>
          <Menu.Popup className="menu">{children}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface ItemProps {
  readonly icon?: IconName;
  readonly tone?: "plain" | "danger";
  readonly onClick: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, tone = "plain", onClick, children }: ItemProps) {
  return (
    <Menu.Item className="menu-item" data-tone={tone} onClick={onClick}>
      {icon !== undefined && <Icon name={icon} size={18} />}
      {children}
    </Menu.Item>
  );
}

export function MenuSeparator() {
  return <Menu.Separator className="menu-separator" />;
}

/** What the items beneath are about. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-heading">{children}</Menu.GroupLabel>
    </Menu.Group>
  );
}
