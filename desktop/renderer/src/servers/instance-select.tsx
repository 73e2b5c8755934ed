import { hostOf } from "../strings/host.ts";
import { useClient, useReadable } from "../context/client-context.tsx";
import { Select } from "../ui/fields/select.tsx";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (url: string) => void;
}

/** One of the signaling servers that this device knows; not shown where there is no choice. */
export function InstanceSelect({ label, value, onChange }: Props) {
  const { accounts } = useClient();
  const servers = useReadable(accounts.state, (state) => state.instances);
  if (servers.length < 2) return null;
  const options = servers.map(({ url }) => ({ value: url, label: hostOf(url) }));
  return <Select label={label} value={value} options={options} onChange={onChange} />;
}

/** The chosen signaling server, else home. */
export function useChosenInstance(wanted: string | null): string {
  const { accounts, platform } = useClient();
  const home = useReadable(accounts.state, ({ homeUrl }) => homeUrl);
  return wanted ?? home ?? platform.origin;
}
