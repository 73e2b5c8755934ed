import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import {
  SERVICES,
  authSubjects,
  discoverySubjects,
  gatewaySubjects,
  healthSubject,
  presenceSubjects,
  syncSubjects,
} from "./index.ts";

const text = readFileSync(new URL("../../../deploy/nats.conf", import.meta.url), "utf8");

const listed = (block: string, list: string): string[] =>
  [...(new RegExp(`${list}: \\[([^\\]]*)\\]`).exec(block)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
    ([, subject = ""]) => subject,
  );

const users = [...text.matchAll(/user: (\w+)\n([\s\S]*?)\n {4}\}/g)].map(([, name = "", block = ""]) => ({
  name,
  mayPublish: listed(block, "publish"),
  mayHear: listed(block, "subscribe"),
  mayAnswer: block.includes("allow_responses: true"),
}));

const groups = {
  auth: authSubjects,
  presence: presenceSubjects,
  discovery: discoverySubjects,
  sync: syncSubjects,
};

interface Subject {
  readonly name: string;
  readonly kind: "request" | "event";
}

const named = (owner: string, group: Readonly<Record<string, Subject>>) =>
  Object.values(group).map(({ name, kind }) => ({ owner, name, isAsked: kind === "request" }));

/** By the service that a subject is named after, which answers its requests and publishes its events. */
const subjects = [
  ...named("gateway", gatewaySubjects),
  ...SERVICES.flatMap((owner) => named(owner, { health: healthSubject(owner), ...groups[owner] })),
];

describe("the permissions on NATS", () => {
  it("are those of the gateway and the services", () => {
    expect(users.map(({ name }) => name).toSorted()).toEqual(["gateway", ...SERVICES].toSorted());
  });

  it.each(subjects)("let $name be said and heard", ({ owner, name, isAsked }) => {
    const speakers = users.filter(({ mayPublish }) => mayPublish.includes(name));
    const hearers = users.filter(({ mayHear }) => mayHear.includes(name));
    expect({ speakers: speakers.length > 0, hearers: hearers.length > 0 }).toEqual({
      speakers: true,
      hearers: true,
    });
    if (!isAsked) return;
    expect(hearers.map((user) => user.name)).toEqual([owner]);
    expect(hearers.every(({ mayAnswer }) => mayAnswer)).toBe(true);
  });

  it("name nothing else, and to each its own inbox", () => {
    const known = new Set(subjects.map(({ name }) => name));
    for (const { name, mayPublish, mayHear } of users) {
      expect(mayPublish.filter((subject) => !known.has(subject))).toEqual([]);
      expect(mayHear.filter((subject) => !known.has(subject))).toEqual([`_INBOX.${name}.>`]);
    }
  });
});
