import { newId, silentLog } from "@hearth/runtime";
import { openMongo } from "@hearth/runtime/network";
import { createMongoServer, mongoProgram } from "@hearth/runtime/testing";
import type { ServerProcess } from "@hearth/runtime/testing";
import { afterAll, beforeAll, describe } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { describeStoreContract } from "./store.contract.ts";
import { createMongoDiscoveryStore } from "./store.mongo.ts";

const suite = mongoProgram === undefined ? describe.skip : describe;

suite("the store in MongoDB (needs mongod or a server of its protocol)", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await createMongoServer(mongoProgram ?? "");
    await server.start();
  });
  afterAll(() => server.end());

  describeStoreContract("MongoDB", async () => {
    const url = `mongodb://127.0.0.1:${server.port}/discovery_${newId().replaceAll("-", "").slice(-12)}`;
    const mongo = openMongo({ url, log: silentLog });
    while (!mongo.ready) await setTimeout(5);
    const store = createMongoDiscoveryStore(mongo);
    await store.servers.find("nothing");
    return store;
  });
});
