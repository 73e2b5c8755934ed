import type { DeviceRoom } from "@hearth/device";
import { useClient, useReadable } from "../context/client-context.tsx";
import { useShell } from "../context/shell-context.tsx";
import { useAct } from "../context/use-act.ts";
import { strings } from "../strings/strings.ts";

interface Person {
  readonly userId: string;
  readonly displayName: string;
}

/** A message that is reported with the person. */
export interface ReportedMessage {
  readonly id: string;
  readonly content: string;
}

export interface Safety {
  readonly isBlocked: (userId: string) => boolean;
  readonly toggleBlock: (person: Person) => void;
  readonly report: (person: Person, message?: ReportedMessage) => void;
}

const NOBODY: ReadonlySet<string> = new Set();

/** AB12: whom this account blocked where a room lives. */
export function useBlocked(signalServerUrl: string): ReadonlySet<string> {
  return useReadable(useClient().blocks.state, (state) => state.get(signalServerUrl) ?? NOBODY);
}

/** AB12: what this account can do about somebody who bothers it. */
export function useSafety({
  id: roomId,
  signalServerUrl,
}: Pick<DeviceRoom, "id" | "signalServerUrl">): Safety {
  const { blocks } = useClient();
  const { open } = useShell();
  const act = useAct();
  const blocked = useBlocked(signalServerUrl);
  const text = strings.people;
  return {
    isBlocked: (userId) => blocked.has(userId),
    toggleBlock({ userId, displayName }) {
      if (blocked.has(userId))
        act(() => blocks.unblock(signalServerUrl, userId), text.unblocked(displayName));
      else act(() => blocks.block(signalServerUrl, userId), text.blocked(displayName));
    },
    report: ({ userId, displayName }, message) =>
      open({
        kind: "report",
        server: signalServerUrl,
        roomId,
        userId,
        displayName,
        message: message ?? null,
      }),
  };
}
