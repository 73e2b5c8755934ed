import { useEffect, useState } from "react";
import { useAnnouncer } from "./announcer.tsx";
import { strings } from "../strings/strings.ts";
import { Button } from "./button.tsx";
import "./copy-button.css";

const SHOWN_MS = 2500;

type Outcome = "none" | "copied" | "failed";

const isCopied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

export function CopyButton({ text, what }: { text: string; what: string }) {
  const announcer = useAnnouncer();
  const [outcome, setOutcome] = useState<Outcome>("none");
  useEffect(() => {
    if (outcome !== "copied") return undefined;
    const timer = setTimeout(() => setOutcome("none"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (): Promise<void> => {
    const done = await isCopied(text);
    setOutcome(done ? "copied" : "failed");
    announcer.say(done ? strings.copy.copied : strings.copy.failed);
  };
  return (
    <span className="copy">
      <Button aria-label={strings.copy.named(what)} onClick={() => void copy()}>
        {outcome === "copied" ? strings.copy.copied : strings.copy.copy}
      </Button>
      {outcome === "failed" && <span className="problem">{strings.copy.failed}</span>}
    </span>
  );
}
