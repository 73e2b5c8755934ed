import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ME, ROOM, START, messageOf, startDevice } from "./testing/device.ts";
import type { Device } from "./testing/device.ts";
import { TOOLS, isHere, startRecipe } from "./testing/recipe.ts";
import type { RecipeRun } from "./testing/recipe.ts";

const MINUTE = 60_000;

/** Runs each program of the documentation as shown. Tests are reported as not run if their tool is missing. */
describe.each(TOOLS)("the recipes for $label (needs $needs)", (tool) => {
  const itRuns = isHere(tool) ? it : it.skip;
  let device: Device;
  beforeAll(async () => {
    device = await startDevice();
  }, MINUTE);
  afterAll(() => device.close());

  const start = (page: string, args: string[] = [], variables: Record<string, string> = {}): RecipeRun =>
    startRecipe(
      device.folder,
      page,
      tool,
      { HEARTH: device.url, HEARTH_TOKEN: device.token, HEARTH_EVERY: "0.05", ...variables },
      args,
    );
  const run = async (...recipe: Parameters<typeof start>): Promise<string> => {
    const { code, stdout, stderr } = await start(...recipe).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };

  const account = (password: string): Record<string, string> => ({
    HEARTH_USER: "ada",
    HEARTH_PASSWORD: password,
    HEARTH_SERVER: device.serverUrl,
  });

  itRuns(
    "signing in prints a token that reads",
    async () => {
      const token = (await run("sign-in", [], account('long "password" ü'))).trim();
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      expect(token).not.toBe(device.token);
      expect(await run("recipe-profile", [], { HEARTH_TOKEN: token })).toContain("Ada");
    },
    MINUTE,
  );

  itRuns(
    "a refused sign-in shows the code and fails",
    async () => {
      const { code, stdout, stderr } = await start("sign-in", [], account("wrong")).ended;
      expect([code === 0, stdout]).toEqual([false, ""]);
      expect(stderr).toContain("INVALID_CREDENTIALS");
    },
    MINUTE,
  );

  itRuns(
    "the profile is shown",
    async () => {
      expect(await run("recipe-profile")).toBe("Ada (ada) at https://talk.example.org\n");
    },
    MINUTE,
  );

  itRuns(
    "a backup has every message of the room once, in order, over several pages",
    async () => {
      const lines = (await run("recipe-backup", [ROOM])).trimEnd().split("\n");
      const page = await device.reader.messages(ROOM, { limit: 5_000, from: { offset: 0 } });
      expect(lines).toHaveLength(1_203);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(page?.messages);
    },
    MINUTE,
  );

  itRuns(
    "a search finds words in all rooms, whatever their case",
    async () => {
      const found = await run("recipe-search", ["TEA"]);
      expect(found).toBe(
        `${new Date(START + 5_000 * MINUTE).toISOString().replace(".000", "")}  Kitchen  Ada: Tea & GRÜSSE\n`,
      );
      expect((await run("recipe-search", ["number 1"])).split("\n").length).toBeGreaterThan(300);
    },
    MINUTE,
  );

  itRuns(
    "the list of attachments is a table with quoted names",
    async () => {
      const [head, quoted, other] = (await run("recipe-attachments")).replaceAll('"', "").split("\n");
      expect(head).toBe("filename,mime,size,isLocal,createdAt,roomId,messageId");
      expect(quoted).toMatch(/^a quoted, name\.txt,text\/plain,1001,/);
      expect(quoted?.toLowerCase()).toContain(`false,2025-06-15t15:07:40z,${ROOM},${messageOf(1, "").id}`);
      expect(other).toMatch(/^Größe\.txt,/);
    },
    MINUTE,
  );

  itRuns(
    "following prints what is written, edited and removed, as it happens",
    async () => {
      const n = 6_000;
      const follow = start("recipe-follow", [ROOM, "0"]);
      try {
        await follow.until("Ada: Number 1202\n");
        await follow.until("(removed)\n");
        const message = messageOf(n, `New ${n}`);
        await device.writer.saveMessages([message]);
        await follow.until(`Ada: New ${n}\n`);
        const seen = { messageId: message.id, roomId: ROOM };
        await device.writer.editMessages([
          { ...seen, content: `Better ${n}`, revision: 1, editedAt: message.timestamp },
        ]);
        await follow.until(`Ada: Better ${n}\n`);
        const before = follow.stdout().length;
        await device.writer.removeMessages([{ ...seen, deletedAt: message.timestamp }]);
        await device.writer.saveMessages([messageOf(n + 1, `Last ${n}`)]);
        await follow.until(`Ada: Last ${n}\n`);
        expect(follow.stdout().slice(before)).toBe(`Ada: (removed)\nAda: Last ${n}\n`);
      } finally {
        follow.process.kill();
        await follow.ended;
      }
    },
    MINUTE,
  );

  itRuns(
    "an ended token is shown as what it is",
    async () => {
      for (const recipe of ["recipe-profile", "recipe-backup", "recipe-attachments"]) {
        const { code, stdout, stderr } = await start(recipe, [ME], { HEARTH_TOKEN: "0".repeat(64) }).ended;
        expect([recipe, code === 0, stdout]).toEqual([recipe, false, ""]);
        expect(stderr).toContain("AUTH_INVALID");
      }
    },
    MINUTE,
  );
});
