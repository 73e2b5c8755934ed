import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const captured = (text: string, expression: RegExp): string[] =>
  [...text.matchAll(expression)].map(([, name = ""]) => name);

const compose = read("docker-compose.yml");
const kubernetes = new Map(
  [...read("deploy/kubernetes/settings.env").matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  ),
);

/** A service's settings in `docker-compose.yml`, and the default memory of our services. */
const blockOf = (service: string): string =>
  new RegExp(`^  ${service}:\\n((?:    .*\\n|\\n)+)`, "m").exec(compose)?.[1] ?? "";
const common = /mem_limit: (\d+[mg])/.exec(compose)?.[1] ?? "";

/** The settings `NAME: ${NAME:-default}` of a service in `docker-compose.yml`. */
function passedOn(service: string): ReadonlyMap<string, string> {
  const settings = blockOf(service).matchAll(/^ {6}([A-Z_]+): \$\{\1:-(.*)\}$/gm);
  return new Map([...settings].map(([, name = "", value = ""]) => [name, value]));
}

/** Set by its entry file or by the image. */
const NOT_PASSED_ON = ["DATA_DIR", "MONGODB_URL"];

const DECIDED_BY_INGRESS = new Map([
  ["gateway", ["TRUST_PROXY"]],
  ["auth-service", ["PUBLIC_URL"]],
]);

const SERVICES = ["gateway", "auth-service", "presence-service", "discovery-service"] as const;

describe.each(SERVICES)("the settings of %s", (service) => {
  const settings = captured(read(`${service}/src/config.ts`), /^\s+([A-Z][A-Z_]+): /gm);
  const ownSettings = settings.filter((name) => !NOT_PASSED_ON.includes(name));
  const passed = passedOn(service);

  it("are found where they are read", () => expect(ownSettings.length).toBeGreaterThan(5));

  it("are passed on by docker-compose.yml and Kubernetes, and nothing else is", () => {
    expect([...passed.keys()].toSorted()).toEqual(ownSettings.toSorted());
    expect(ownSettings.filter((name) => !kubernetes.has(name))).toEqual([]);
  });

  it("stand in its README", () => {
    const rows = captured(read(`${service}/README.md`), /^\| `([A-Z_]+)`/gm);
    expect(ownSettings.filter((name) => !rows.includes(name))).toEqual([]);
  });

  it("are named for the operator", () => {
    const [table = ""] = /\| variable of[^]+?\n\n/.exec(read("docs/operations.md")) ?? [];
    expect(ownSettings.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it("have the same defaults in both deployments, but for what the ingress decides", () => {
    const differing = [...passed].filter(([name, value]) => kubernetes.get(name) !== value);
    expect(differing.map(([name]) => name)).toEqual(DECIDED_BY_INGRESS.get(service) ?? []);
  });
});

describe("Kubernetes", () => {
  const services = read("deploy/kubernetes/services.yaml");

  it("is told of no setting that no service reads", () => {
    const known = SERVICES.flatMap((service) => [...passedOn(service).keys()]);
    expect([...kubernetes.keys()].toSorted()).toEqual([...known, "LOG_LEVEL"].toSorted());
  });

  it("gives each service the users, addresses and memory of docker-compose.yml", () => {
    const userOf = /^ {6}(NATS_USER|REDIS_USER|MONGODB_USER|MONGODB_URL|[A-Z]+_URLS): (\S+)$/gm;
    for (const service of [...SERVICES, "sync-service"]) {
      const ours = blockOf(service);
      const [theirs = ""] = services
        .split("\n---\n")
        .filter((text) => text.includes("kind: Deployment") && text.includes(`name: ${service}\n`));
      const fixed = [...ours.matchAll(userOf)].map(([, name, value]) => [name, value]);
      const given = [...theirs.matchAll(/\{ name: (\w+), value: "?([^" ]+)"? \}/g)];
      expect(given.map(([, name, value]) => [name, value])).toEqual(fixed);
      const memory = /mem_limit: (\d+[mg])/.exec(ours)?.[1] ?? common;
      const limit = /limits: \{ memory: (\d+[MG])i \}/.exec(theirs)?.[1];
      expect([service, limit?.toLowerCase()]).toEqual([service, memory]);
    }
  });

  it("gives what the services depend on the memory of docker-compose.yml", () => {
    const infrastructure = read("deploy/kubernetes/infrastructure.yaml").split("\n---\n");
    for (const name of ["nats", "redis", "mongo"]) {
      const pod = infrastructure.find(
        (text) => text.includes("containers:") && text.includes(`name: ${name},`),
      );
      const limit = /limits: \{ memory: (\d+[MG])i \}/.exec(pod ?? "")?.[1];
      const memory = /mem_limit: (\d+[mg])/.exec(blockOf(name))?.[1];
      expect([name, limit?.toLowerCase()]).toEqual([name, memory]);
    }
  });
});

describe("the alert about memory", () => {
  const { expr = "" } =
    /alert: MemoryGrows\n\s+expr: (?<expr>.*)/.exec(read("deploy/prometheus/alerts.yml"))?.groups ?? {};
  const UNITS = { m: 2 ** 20, g: 2 ** 30 } as const;
  const bytesOf = (size: string): number => Number.parseInt(size) * UNITS[size.endsWith("g") ? "g" : "m"];
  const thresholdOf = (service: string): number => {
    const own = expr.split(" or ").find((part) => part.includes(`process="${service}"`));
    return Number(/> (\S+)/.exec(own ?? expr)?.[1]);
  };

  it.each([...SERVICES, "sync-service"])("comes before %s reaches its limit, and not by day", (service) => {
    const limit = bytesOf(/mem_limit: (\d+[mg])/.exec(blockOf(service))?.[1] ?? common);
    expect(thresholdOf(service)).toBeLessThan(0.9 * limit);
    expect(thresholdOf(service)).toBeGreaterThan(0.7 * limit);
  });

  it.each([...SERVICES, "sync-service"])("stands in docs/operations.md beside the limit of %s", (service) => {
    const size = /mem_limit: (\d+[mg])/.exec(blockOf(service))?.[1] ?? common;
    const told = size.replace(/m$/, " MiB").replace(/g$/, " GiB");
    const row = read("docs/operations.md")
      .split("\n")
      .find((line) => line.startsWith("| `") && line.includes(`\`${service}\``) && line.includes("MB |"));
    expect(row).toContain(`| ${told} | ${thresholdOf(service) / 1e6} MB |`);
  });
});
