import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { recordedLog } from "../testing/doubles.ts";
import { mongoProgram } from "../testing/servers/config.ts";
import { createMongoServer } from "../testing/servers/mongo.ts";
import { freePort } from "../testing/servers/server-process.ts";
import type { ServerProcess } from "../testing/servers/server-process.ts";
import { until } from "../testing/until.ts";
import { mongoFields, mongoSchema } from "./mongo-schema.ts";
import { guardedByMongo, openMongo } from "./mongo.ts";
import type { Mongo } from "./mongo.ts";

interface Thing {
  readonly _id: string;
  readonly name: string;
}

const suite = mongoProgram === undefined ? describe.skip : describe;

suite("MongoDB in trouble (needs mongod or a server of its protocol)", () => {
  const opened: Mongo[] = [];
  const started: ServerProcess[] = [];
  const { log, records } = recordedLog();

  const open = (port: number): Mongo => {
    const mongo = openMongo({ url: `mongodb://127.0.0.1:${port}/trouble`, log });
    opened.push(mongo);
    return mongo;
  };
  const serving = async (): Promise<ServerProcess> => {
    const server = await createMongoServer(mongoProgram ?? "");
    started.push(server);
    await server.start();
    return server;
  };
  const things = (mongo: Mongo) =>
    mongo.connection.model(
      "Thing",
      mongoSchema<Thing>("things", { name: mongoFields.text }).index({ name: 1 }, { unique: true }),
    );
  const timed = async (work: Promise<unknown>): Promise<{ ms: number; error: unknown }> => {
    const from = performance.now();
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { ms: performance.now() - from, error };
  };
  const UNAVAILABLE = { code: "UNAVAILABLE", retryable: true };

  afterEach(async () => {
    for (const mongo of opened.splice(0)) await mongo.close();
    for (const server of started.splice(0)) await server.end();
  });

  it("F8 answers within five seconds without a server, and logs that once", async () => {
    const mongo = open(await freePort());
    const { guard, ready } = guardedByMongo(mongo, async () => undefined);
    const model = things(mongo);
    const { find } = guard({ find: () => model.findById("a").lean() });
    const { ms, error } = await timed(find());
    expect(error).toMatchObject(UNAVAILABLE);
    expect(ms).toBeLessThan(5_000);
    expect(ready()).toBe(false);
    await setTimeout(100);
    const errors = records().filter(({ level }) => level === 50);
    expect(errors.length).toBeLessThan(4);
  }, 15_000);

  it("F8 answers within five seconds while the server is frozen, also to a hundred calls at once, and recovers with it", async () => {
    const server = await serving();
    const mongo = open(server.port);
    const model = things(mongo);
    const { guard, ready } = guardedByMongo(mongo, () => model.createIndexes());
    const { find } = guard({ find: () => model.findById("a").lean() });
    await until(ready);
    server.signal("SIGSTOP");
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => timed(find())));
    expect(outcomes.every(({ error }) => (error as { code?: unknown }).code === "UNAVAILABLE")).toBe(true);
    expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(5_000);
    server.signal("SIGCONT");
    const thawed = performance.now();
    await until(async () => (await timed(find())).error === undefined, 12_000);
    expect(performance.now() - thawed).toBeLessThan(10_000);
  }, 40_000);

  it("refuses to serve while documents break a unique index, logs that, and serves once they are gone", async () => {
    const server = await serving();
    const raw = open(server.port);
    await until(() => raw.ready);
    await raw.connection.collection<Thing>("things").insertMany([
      { _id: "a", name: "same" },
      { _id: "b", name: "same" },
    ]);
    const mongo = open(server.port);
    const model = things(mongo);
    const { guard, ready } = guardedByMongo(mongo, () => model.createIndexes());
    const { find } = guard({ find: () => model.findById("a").lean() });
    const from = records().length;
    const { error } = await timed(find());
    expect(error).toMatchObject(UNAVAILABLE);
    expect(ready()).toBe(false);
    // MongoDB says that it is the index; a server that only speaks its protocol may call it something else.
    expect(
      records()
        .slice(from)
        .filter(({ level }) => level === 50),
    ).not.toEqual([]);
    await raw.connection.collection<Thing>("things").deleteOne({ _id: "b" });
    await until(ready);
    expect(await find()).toMatchObject({ name: "same" });
    const indexes = await raw.connection.collection("things").indexes();
    expect(indexes.filter(({ unique }) => unique).map(({ key }) => key as unknown)).toContainEqual({
      name: 1,
    });
  }, 20_000);

  it("passes mistakes of our own code on instead of reporting them as UNAVAILABLE", async () => {
    const server = await serving();
    const mongo = open(server.port);
    const model = things(mongo);
    const { guard } = guardedByMongo(mongo, () => model.createIndexes());
    const { create, find } = guard({
      create: () => model.create([{ _id: "a" }]),
      find: () => model.findOne({ name: { $ne: null } as unknown as string }).lean(),
    });
    await until(() => mongo.ready);
    expect((await timed(create())).error).toMatchObject({ name: "ValidationError" });
    await expect(find()).resolves.toBeNull();
    await mongo.close();
    expect((await timed(find())).error).toMatchObject(UNAVAILABLE);
  });
});
