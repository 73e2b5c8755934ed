import { safeReturnUrl } from "@hearth/client";
import { navigate } from "../navigation/navigation.tsx";
import { routeOf } from "../navigation/routes.ts";

/** Goes where somebody was before they had to sign in, as far as that is a place of ours (rule CL3). */
export const goBack = (returnUrl: string | null, origin: string): void =>
  navigate(routeOf(safeReturnUrl(returnUrl, origin)), { replace: true });
