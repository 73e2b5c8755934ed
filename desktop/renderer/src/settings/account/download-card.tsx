import { userRoutes } from "@hearth/contracts";
import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useAction } from "../../ui/use-action.ts";

const text = strings.account.download;

function saveAsFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** AB12: all that the home instance knows of the account, as a file. */
export function DownloadCard({ homeUrl, username }: { homeUrl: string; username: string }) {
  const { rest } = useClient();
  const { busy, problem, run } = useAction();
  const download = async (): Promise<void> => {
    const known = await rest.call(homeUrl, userRoutes.exportMe, {});
    saveAsFile(`hearth-${username}.json`, JSON.stringify(known, null, 2));
  };
  return (
    <Card title={text.title} help={text.help(new URL(homeUrl).host)}>
      <div>
        <Button busy={busy} onClick={() => void run(download, text.done)}>
          {text.button}
        </Button>
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </Card>
  );
}
