import type { DeviceRoom } from "@hearth/device";
import { strings } from "../strings/strings.ts";
import { Choice } from "../ui/fields/choice.tsx";

const text = strings.servers.create;
const ALL: readonly DeviceRoom["visibility"][] = ["public", "unlisted", "private"];

interface Props {
  readonly value: DeviceRoom["visibility"];
  readonly onChange: (value: DeviceRoom["visibility"]) => void;
}

export function VisibilityChoice({ value, onChange }: Props) {
  return (
    <Choice
      label={text.visibility}
      value={value}
      options={ALL.map((it) => ({ value: it, label: text.visibilities[it], help: text.visibilityHelp[it] }))}
      onChange={onChange}
    />
  );
}
