import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { DeviceEmoji } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";

/** An emoji of the account, with an address that shows its picture. */
export interface CustomEmoji {
  readonly shortcode: string;
  readonly url: string;
}

const PICTURES: ReadonlySet<string> = new Set([
  "image/png",
  "image/gif",
  "image/webp",
  "image/jpeg",
  "image/avif",
]);

/** Addresses by hash: one picture has one for as long as the page lives. */
const addresses = new Map<string, string>();

function addressOf({ hash, mime, bytes }: DeviceEmoji): string {
  const known = addresses.get(hash);
  if (known !== undefined) return known;
  const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mime }));
  addresses.set(hash, made);
  return made;
}

const NONE: ReadonlyMap<string, CustomEmoji> = new Map();
const KEY = ["chat-emoji"];

/** The emoji of the account by shortcode. */
export function useCustomEmoji(): ReadonlyMap<string, CustomEmoji> {
  const { store, sync } = useClient();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    staleTime: Infinity,
    queryFn: async () => {
      const pictures = (await store.emoji()).filter(({ mime }) => PICTURES.has(mime));
      return new Map(pictures.map((it) => [it.shortcode, { shortcode: it.shortcode, url: addressOf(it) }]));
    },
  });
  useEffect(
    () =>
      sync.onApplied(({ kind }) => {
        if (kind === "emoji") void queries.invalidateQueries({ queryKey: KEY });
      }),
    [sync, queries],
  );
  return data ?? NONE;
}
