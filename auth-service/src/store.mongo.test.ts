import { newId, silentLog } from "@hearth/runtime";
import { openMongo } from "@hearth/runtime/network";
import { createMongoServer, mongoProgram } from "@hearth/runtime/testing";
import type { ServerProcess } from "@hearth/runtime/testing";
import { afterAll, beforeAll, describe } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { describeAuthStoreContract } from "./store.contract.ts";
import { createMongoAuthStore } from "./store.mongo.ts";

const suite = mongoProgram === undefined ? describe.skip : describe;

suite("the store in MongoDB (needs mongod or a server of its protocol)", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await createMongoServer(mongoProgram ?? "");
    await server.start();
  });
  afterAll(() => server.end());

  describeAuthStoreContract("MongoDB", async () => {
    const url = `mongodb://127.0.0.1:${server.port}/auth_${newId().replaceAll("-", "").slice(-12)}`;
    const mongo = openMongo({ url, log: silentLog });
    while (!mongo.ready) await setTimeout(5);
    const store = createMongoAuthStore(mongo, silentLog);
    await store.findAccount("nobody");
    return store;
  });
});
