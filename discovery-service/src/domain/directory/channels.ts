import { ProblemError } from "@hearth/contracts";
import type { Channel, ChannelKind } from "@hearth/contracts";

/** A channel as a client writes it (rule DI1); a new one has no `id`. */
export interface ChannelInput {
  readonly id?: string | undefined;
  readonly name: string;
  /** Without it an existing channel keeps its kind, and a new one is a text channel. */
  readonly kind?: ChannelKind | undefined;
}

const INITIAL: readonly ChannelInput[] = [
  { name: "general", kind: "text" },
  { name: "Lounge", kind: "voice" },
];

const refused = (index: number, message: string): ProblemError =>
  new ProblemError("CONFLICT", "The server does not have such a channel", {
    errors: [{ path: `channels.${index}.id`, message }],
  });

/** The new channel list of a server. The order of `inputs` decides the positions. */
export function arrangeChannels(
  inputs: readonly ChannelInput[],
  present: readonly Channel[],
  newId: () => string,
): Channel[] {
  const known = new Map(present.map((channel) => [channel.id, channel.kind]));
  const kept = new Set<string>();
  return inputs.map(({ id: named, name, kind }, position) => {
    const id = named?.toLowerCase();
    if (id !== undefined && !known.has(id)) throw refused(position, "is not a channel of this server");
    if (id !== undefined && kept.has(id)) throw refused(position, "is listed twice");
    if (id !== undefined) kept.add(id);
    return {
      id: id ?? newId(),
      name,
      kind: kind ?? (id === undefined ? undefined : known.get(id)) ?? "text",
      position,
    };
  });
}

/** The channels of a new server. */
export const initialChannels = (
  inputs: readonly ChannelInput[] | undefined,
  newId: () => string,
): Channel[] => arrangeChannels(inputs ?? INITIAL, [], newId);
