import { useDesktop } from "../desktop.tsx";
import { useObservable } from "../../state/use-observable.ts";
import { strings } from "../../strings/strings.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { ConnectionCard } from "./connection-card.tsx";
import { DocumentsCard } from "./documents-card.tsx";
import { ExamplesCard } from "./examples-card.tsx";
import { ServersCard } from "./servers-card.tsx";
import { StateCard } from "./state-card.tsx";
import { TokensCard } from "./tokens/tokens-card.tsx";

export function LocalApiScreen() {
  const { localApi } = useDesktop();
  const { phase } = useObservable(localApi);
  return (
    <>
      <p className="lead">{strings.localApi.lead}</p>
      {phase === "ready" ? (
        <>
          <StateCard />
          <ServersCard />
          <TokensCard />
          <ConnectionCard />
          <DocumentsCard />
          <ExamplesCard />
        </>
      ) : (
        <Waiting phase={phase === "loading" ? "asking" : "unanswered"} onRetry={() => void localApi.load()} />
      )}
    </>
  );
}
