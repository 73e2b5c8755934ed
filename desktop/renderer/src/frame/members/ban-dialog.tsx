import { useState } from "react";
import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/fields/choice.tsx";
import { PaneDialog } from "../../ui/overlays/pane-dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import "../../ui/overlays/dialog.css";
import "../../ui/fields/form.css";

const text = strings.shell.members;
const HOUR_MS = 3_600_000;

const DURATIONS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
  always: null,
} as const;

type Duration = keyof typeof DURATIONS;

const ORDER: readonly Duration[] = ["hour", "day", "week", "month", "always"];

export interface Ban {
  readonly reason?: string;
  readonly expiresAt?: number;
}

interface Props {
  readonly name: string;
  readonly onClose: () => void;
  readonly onBan: (ban: Ban) => void;
}

/** Asks why and for how long somebody is kept out. */
export function BanDialog({ name, onClose, onBan }: Props) {
  const { platform } = useClient();
  const [reason, setReason] = useState("");
  const [duration, setDuration] = useState<Duration>("week");
  const ban = (): void => {
    const length = DURATIONS[duration];
    onBan({
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
      ...(length === null ? {} : { expiresAt: platform.now() + length }),
    });
    onClose();
  };
  return (
    <PaneDialog title={text.banTitle(name)} description={text.banHelp} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          ban();
        }}
      >
        <TextField label={text.banReason} name="reason" value={reason} onChange={setReason} maxLength={500} />
        <Choice
          label={text.banLasts}
          value={duration}
          options={ORDER.map((value) => ({ value, label: text.banDurations[value] }))}
          onChange={setDuration}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{strings.app.cancel}</Button>
          <Button tone="danger" type="submit">
            {text.ban}
          </Button>
        </div>
      </form>
    </PaneDialog>
  );
}
