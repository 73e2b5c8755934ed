import { systemClock } from "@hearth/runtime";
import { describeWithMongo } from "@hearth/runtime/testing";
import { describeStoreContract } from "../store.contract.ts";
import { createMongoDiscoveryStore } from "./store.mongo.ts";

describeWithMongo("the store in MongoDB", ({ open }) => {
  describeStoreContract("MongoDB", async () => {
    const store = createMongoDiscoveryStore(await open(), systemClock, { patienceMs: 15_000 });
    await store.servers.find("nothing");
    return store;
  });
});
