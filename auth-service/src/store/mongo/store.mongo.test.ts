import { silentLog } from "@hearth/runtime";
import { describeWithMongo } from "@hearth/runtime/testing";
import { describeAuthStoreContract } from "../store.contract.ts";
import { createMongoAuthStore } from "./store.mongo.ts";

describeWithMongo("the store in MongoDB", ({ open }) => {
  describeAuthStoreContract("MongoDB", async () => {
    const store = createMongoAuthStore(await open(), silentLog);
    await store.findAccount("nobody");
    return store;
  });
});
