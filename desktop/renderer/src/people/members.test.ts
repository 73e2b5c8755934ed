import { describe, expect, it } from "@jest/globals";
import type { Role } from "@hearth/contracts";
import { actionsOn, mayInvite } from "./member-actions.ts";
import { peopleOf } from "./member-groups.ts";

const member = (userId: string, role: Role = "member", displayName = userId) => ({
  userId,
  displayName,
  role,
});
const here = (oderId: string, displayName = oderId) => ({
  ...{ oderId, username: oderId, displayName },
  status: "online" as const,
});
const present = (...users: readonly ReturnType<typeof here>[]) =>
  new Map(users.map((user) => [user.oderId, user]));

describe("the people of a room", () => {
  it("are apart by whether they are there, by rank and then by name", () => {
    const members = [
      member("zoe"),
      member("adam"),
      member("mo", "moderator"),
      member("olga", "owner"),
      member("bea"),
    ];
    const people = peopleOf(members, present(here("zoe"), here("olga"), here("adam"), here("mo")));
    expect(people.online.map(({ userId }) => userId)).toEqual(["olga", "mo", "adam", "zoe"]);
    expect(people.offline.map(({ userId }) => userId)).toEqual(["bea"]);
  });

  it("include those who came after the list was read, with the newer name", () => {
    const people = peopleOf([member("a", "owner", "Old")], present(here("a", "New"), here("b", "Bo")));
    expect(people.online).toMatchObject([
      { userId: "a", displayName: "New", role: "owner" },
      { userId: "b", displayName: "Bo", role: "member" },
    ]);
  });
});

describe("what may be done to a member", () => {
  it("depends on both roles", () => {
    expect(actionsOn(member("o", "owner"), member("m"))).toEqual([
      "make-moderator",
      "transfer",
      "remove",
      "ban",
    ]);
    expect(actionsOn(member("o", "owner"), member("m", "moderator"))).toContain("make-member");
    expect(actionsOn(member("o", "moderator"), member("m"))).toEqual(["remove", "ban"]);
    expect(actionsOn(member("o", "moderator"), member("m", "moderator"))).toEqual([]);
    expect(actionsOn(member("o", "moderator"), member("m", "owner"))).toEqual([]);
    expect(actionsOn(member("o"), member("m"))).toEqual([]);
    expect(actionsOn(member("o", "owner"), member("o", "owner"))).toEqual([]);
  });

  it("lets members invite unless the room is private", () => {
    expect(mayInvite("member", "public")).toBe(true);
    expect(mayInvite("member", "private")).toBe(false);
    expect(mayInvite("moderator", "private")).toBe(true);
  });
});
