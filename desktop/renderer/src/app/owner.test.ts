import { expect, it } from "@jest/globals";
import { createStore } from "zustand/vanilla";
import type { AccountsState } from "@hearth/client";
import { followOwner } from "./owner.ts";

const url = "https://a.example";

const signedIn = (userId: string): AccountsState => ({
  phase: "signed-in",
  homeUrl: url,
  instances: [
    {
      url,
      isHome: true,
      authorization: "authorized",
      account: { userId, username: userId, displayName: userId, expiresAt: 1, autoProvisioned: false },
      failure: null,
      isNewlyProvisioned: false,
    },
  ],
  ended: null,
});

it("a page begins anew when somebody else signs in, and only then", () => {
  const out: AccountsState = { phase: "signed-out", homeUrl: url, instances: [], ended: null };
  const state = createStore<AccountsState>(() => out);
  const begun: string[] = [];
  followOwner({ state }, () => void begun.push("anew"));
  for (const next of [signedIn("ada"), signedIn("ada"), out, signedIn("ada")]) state.setState(next, true);
  expect(begun).toEqual([]);
  state.setState(out, true);
  state.setState(signedIn("ben"), true);
  expect(begun).toEqual(["anew"]);
});

it("a page that began with what somebody left begins anew for somebody else", () => {
  const starting: AccountsState = { phase: "starting", homeUrl: null, instances: [], ended: null };
  const state = createStore<AccountsState>(() => starting);
  const begun: string[] = [];
  followOwner({ state }, () => void begun.push("anew"));
  state.setState({ ...signedIn("ada"), phase: "signed-out" }, true);
  expect(begun).toEqual([]);
  state.setState(signedIn("ben"), true);
  expect(begun).toEqual(["anew"]);
});
