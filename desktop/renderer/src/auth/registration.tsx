import { userRoutes } from "@hearth/contracts";
import type { RegistrationMode } from "@hearth/contracts";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { Callout } from "../ui/callout.tsx";

/** AB11: who may register there; not known while nobody answers, and then everybody may try. */
export function useRegistration(url: string | null): RegistrationMode | undefined {
  const { rest } = useClient();
  const { data } = useQuery({
    queryKey: ["registration", url],
    queryFn: ({ signal }) => rest.call(url ?? "", userRoutes.registration, { signal }),
    enabled: url !== null,
    staleTime: 60_000,
    retry: false,
  });
  return data?.mode;
}

/** That nobody can make an account there. The way to sign in stands below the form. */
export function RegistrationClosed() {
  return (
    <div role="status">
      <Callout tone="warning" title={strings.auth.closed.title}>
        <p>{strings.auth.closed.help}</p>
      </Callout>
    </div>
  );
}
