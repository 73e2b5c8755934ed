import { useEffect, useRef } from "react";
import type { ServerLost } from "@hearth/client";
import { strings } from "../strings/strings.ts";
import { navigate } from "../navigation/navigation.tsx";
import { NothingHere } from "./nothing-here.tsx";
import { HOME } from "../navigation/routes.ts";

const { lost: titles, lostHelp, toHome } = strings.shell;

/** Stands where a room was that went away under somebody's eyes. */
export function LostRoom({ lost: { name, reason } }: { lost: ServerLost }) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // What had the focus went away with the room, unless it lies over it.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement?.matches("body") === true)
        main.current?.querySelector<HTMLElement>("[data-heading]")?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <main className="main" ref={main}>
      <NothingHere
        level={1}
        title={titles[reason](name)}
        help={lostHelp[reason]}
        action={toHome}
        onAction={() => navigate(HOME)}
      />
    </main>
  );
}
