import { afterAll, beforeAll, describe } from "@jest/globals";
import { newId } from "../context/ids.ts";
import { silentLog } from "../log/log.ts";
import type { Mongo, MongoOptions } from "../storage/mongo.ts";
import { mongoProgram } from "./servers/config.ts";
import { createMongoServer } from "./servers/mongo.ts";
import type { ServerProcess } from "./servers/server-process.ts";
import { until } from "./until.ts";

export interface MongoUnderTest {
  /** A ready connection to an empty database of its own. The suite closes it at its end. */
  readonly open: () => Promise<Mongo>;
}

/** Long enough for a busy machine: a contract suite does not test the speed of a call. */
const PATIENT = { patienceMs: 15_000, deadlineMs: 20_000 };

/** A suite over a real MongoDB server. On a machine without one it is reported as not run. */
export function describeWithMongo(name: string, suite: (mongo: MongoUnderTest) => void): void {
  const known = mongoProgram === undefined ? describe.skip : describe;
  known(`${name} (needs mongod or a server of its protocol)`, () => {
    let server: ServerProcess;
    let openMongo: (options: MongoOptions) => Mongo;
    const opened: Mongo[] = [];
    const open = async (): Promise<Mongo> => {
      const url = `mongodb://127.0.0.1:${server.port}/test_${newId().replaceAll("-", "")}`;
      const mongo = openMongo({ url, log: silentLog, ...PATIENT });
      opened.push(mongo);
      await until(() => mongo.ready);
      return mongo;
    };
    beforeAll(async () => {
      // A static import would make every test load the driver, which takes longer than most tests.
      ({ openMongo } = await import("../storage/mongo.ts"));
      server = await createMongoServer(mongoProgram ?? "");
      await server.start();
    });
    afterAll(async () => {
      for (const mongo of opened) await mongo.close();
      await server.end();
    });
    suite({ open });
  });
}
