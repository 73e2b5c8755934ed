import { describe, expect, it } from "@jest/globals";
import type { Role } from "@hearth/contracts";
import { editActionFor, may, outranks } from "./permissions.ts";
import type { Action } from "./permissions.ts";

const ROLES: readonly Role[] = ["member", "moderator", "owner"];

describe("permissions", () => {
  const table: readonly (readonly [Action, readonly Role[]])[] = [
    ["viewMembers", ["member", "moderator", "owner"]],
    ["invite", ["member", "moderator", "owner"]],
    ["inviteToPrivate", ["moderator", "owner"]],
    ["editContent", ["moderator", "owner"]],
    ["moderate", ["moderator", "owner"]],
    ["editServer", ["owner"]],
    ["setRoles", ["owner"]],
    ["transfer", ["owner"]],
    ["remove", ["owner"]],
  ];

  it.each(table)("DI3 allow %s to %j", (action, allowed) => {
    expect(ROLES.filter((role) => may(role, action))).toEqual(allowed);
  });

  it("DI3 let moderation go downwards only", () => {
    const over = ROLES.map((role) => ROLES.filter((other) => outranks(role, other)));
    expect(over).toEqual([[], ["member"], ["member", "moderator"]]);
    expect(outranks("member", null)).toBe(true);
  });

  it("DI3 give a moderator the description, the tags and the channels", () => {
    const fields = ["name", "description", "iconHash", "tags", "visibility", "channels"];
    expect(fields.filter((field) => may("moderator", editActionFor(field)))).toEqual([
      "description",
      "tags",
      "channels",
    ]);
    expect(fields.every((field) => may("owner", editActionFor(field)))).toBe(true);
  });
});
