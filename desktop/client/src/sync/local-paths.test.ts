import { describe, expect, it } from "@jest/globals";
import { withoutOwnPaths } from "./local-paths.ts";

describe("sync payloads with attachments", () => {
  it("AS2 never contain local paths, at any depth", () => {
    const file = { id: "a", filename: "leaf.png" };
    const dirty = {
      ...file,
      filePath: "/a",
      localPath: "/b",
      path: "/c",
      url: " FILE:///d",
      more: { path: "/e" },
    };
    const payload = {
      type: "chat-sync-batch",
      attachments: { "m-1": [dirty, "file:///f"] },
      messages: [{ content: "file:///kept", path: "kept", attachments: [dirty] }],
    };
    const clean = { ...file, more: {} };
    expect(withoutOwnPaths(payload)).toEqual({
      type: "chat-sync-batch",
      attachments: { "m-1": [clean] },
      messages: [{ content: "file:///kept", path: "kept", attachments: [clean] }],
    });
  });
});
