import type { Credential, JoinedServer } from "@hearth/contracts";
import { beforeAll } from "@jest/globals";
import { createServer, freshName, register } from "../client/index.ts";
import type { ServerForTests } from "./for-tests.ts";

/** Two accounts, and a public server of the first one. */
export interface SharedServer {
  readonly ada: Credential;
  readonly ben: Credential;
  readonly room: JoinedServer;
}

/** A hall for the tests of a file or a block, created before them. */
export function sharedServerForTests(server: Pick<ServerForTests, "url">): SharedServer {
  let made: SharedServer | undefined;
  const current = (): SharedServer => {
    if (!made) throw new Error("The hall is there only while the tests run");
    return made;
  };
  beforeAll(async () => {
    const [ada, ben] = await Promise.all([
      register(server.url, freshName("ada"), "ada"),
      register(server.url, freshName("ben"), "ben"),
    ]);
    made = { ada, ben, room: await createServer(server.url, ada, { name: "The hall" }) };
  });
  return {
    get ada() {
      return current().ada;
    },
    get ben() {
      return current().ben;
    },
    get room() {
      return current().room;
    },
  };
}
