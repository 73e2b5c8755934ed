import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { whyUnfit } from "./engine-fitness.ts";

type Answers = Partial<Record<"asked" | "port" | "npm", string | Error>>;

let server: Server;
beforeAll(async () => {
  server = createServer((_, answer) => answer.end("here")).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

/** An engine that can do everything except what a test overrides. */
function engine(answers: Answers) {
  const left = new Set<string>();
  const docker = async (...args: readonly string[]): Promise<string> => {
    const [command, verb = "", name = ""] = args;
    const last = args.at(-1) ?? "";
    if (command === "network" && verb === "create") left.add(`network ${name}`);
    if (command === "network" && verb === "rm") left.delete(`network ${name}`);
    if (command === "run" && args.includes("--detach"))
      left.add(`container ${args[args.indexOf("--name") + 1]}`);
    if (command === "rm") left.delete(`container ${last}`);
    const part =
      command === "port"
        ? "port"
        : args.includes("npm")
          ? "npm"
          : args.includes("--rm")
            ? "asked"
            : undefined;
    const usual = {
      asked: "here",
      port: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      npm: "11.0.0",
    };
    const answer = part && (answers[part] ?? usual[part]);
    if (answer instanceof Error) throw answer;
    return answer ?? "";
  };
  return { docker, left };
}

describe("an engine", () => {
  it.each<[string, Answers, string | undefined]>([
    ["that does it all is fit", {}, undefined],
    [
      "whose containers do not hear each other",
      { asked: "TypeError: fetch failed" },
      "containers of one network cannot reach each other",
    ],
    ["whose ports lead nowhere", { port: "127.0.0.1:1" }, "a port of a container cannot be reached"],
    [
      "from which no package can be fetched",
      { npm: new Error("ENOTFOUND") },
      "packages cannot be fetched inside a container",
    ],
  ])("%s", async (_, answers, why) => {
    const { docker, left } = engine(answers);
    expect(await whyUnfit(docker)).toBe(why);
    expect([...left]).toEqual([]);
  });

  it("that cannot run a container is told by its own words, and nothing is left of the trial", async () => {
    const { docker, left } = engine({ asked: new Error("cgroups: cannot enter") });
    await expect(whyUnfit(docker)).rejects.toThrow("cgroups: cannot enter");
    expect([...left]).toEqual([]);
  });
});
