import { describeWithMongo } from "@hearth/runtime/testing";
import { describeStoreContract } from "./store.contract.ts";
import { createMongoDiscoveryStore } from "./store.mongo.ts";

describeWithMongo("the store in MongoDB", ({ open }) => {
  describeStoreContract("MongoDB", async () => {
    const store = createMongoDiscoveryStore(await open());
    await store.servers.find("nothing");
    return store;
  });
});
