import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { aMember } from "../testing/records.ts";
import { membersSuite } from "./members.contract.ts";
import { accountsSuite } from "./accounts.contract.ts";
import { invitesSuite } from "./invites.contract.ts";
import { bansSuite, pluginsSuite, requestsSuite } from "./moderation.contract.ts";
import { serversSuite } from "./servers.contract.ts";
import type { Store } from "../domain/store.ts";

/** The suite that every twin of the store passes. The factory creates an empty one. */
export function describeStoreContract(name: string, factory: () => Promise<Store>): void {
  describe(`${name} keeps the store contract`, () => {
    let current: Store | undefined;
    const store = (): Store => {
      if (current === undefined) throw new Error("there is no store");
      return current;
    };

    beforeEach(async () => {
      current = await factory();
    });
    afterEach(() => store().close());

    describe("servers", () => serversSuite(store));
    describe("members", () => membersSuite(store));
    describe("bans", () => bansSuite(store));
    describe("invites", () => invitesSuite(store));
    describe("requests", () => requestsSuite(store));
    describe("accounts", () => accountsSuite(store));
    describe("plugins", () => pluginsSuite(store));

    it("ER6 is UNAVAILABLE once it is closed, and closing twice is harmless", async () => {
      expect(store().ready()).toBe(true);
      await store().close();
      await store().close();
      expect(store().ready()).toBe(false);
      const { serverId, userId } = aMember("s");
      const unavailable = { code: "UNAVAILABLE" };
      await expect(store().members.serverAndMember(serverId, userId)).rejects.toMatchObject(unavailable);
      await expect(store().servers.addHeat([], 0)).rejects.toMatchObject(unavailable);
    });
  });
}
