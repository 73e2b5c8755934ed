import { ProblemError } from "@hearth/contracts";
import type { Channel, ChannelKind } from "@hearth/contracts";

/** A channel as a client writes it (rule DI1): without an `id` it is new. */
export interface ChannelInput {
  readonly id?: string | undefined;
  readonly name: string;
  /** Left out, a known channel keeps its kind and a new one is for text. */
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

/** The channels of a server after its list was replaced by `inputs`; their order is their position. */
export function arranged(
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

/** The channels a new server starts with. */
export const initial = (inputs: readonly ChannelInput[] | undefined, newId: () => string): Channel[] =>
  arranged(inputs ?? INITIAL, [], newId);
