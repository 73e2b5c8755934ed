import { describe, expect, it } from "@jest/globals";
import { sampleRooms } from "./sample-rooms.ts";
import { namesOf } from "./accounts.ts";
import { smallTalk } from "./material/smalltalk.ts";
import { readLine, readScript } from "./script.ts";
import { readSmallTalk } from "./small-talk.ts";

describe("a script", () => {
  it("reads a line with all its notes", () => {
    expect(readLine("ben: on my wya [edit: on my way] [reply 2] [file: a-{n}.jpg] [+👍 jo, nora]")).toEqual({
      speaker: "ben",
      text: "on my wya",
      replyBack: 2,
      edit: "on my way",
      removed: false,
      files: ["a-{n}.jpg"],
      texts: [],
      reactions: [{ emoji: "👍", by: ["jo", "nora"] }],
    });
    expect(readLine("jo: no [removed]")).toMatchObject({ text: "no", removed: true, replyBack: 0 });
    expect(readLine("jo: yes [reply]")).toMatchObject({ replyBack: 1 });
  });

  it.each(["no speaker", "jo: a note [unknown]", "jo: left [open"])("refuses %j", (line) => {
    expect(() => readLine(line)).toThrow(SyntaxError);
  });

  it("reads channels, seasons across the turn of the year, hours, and one-time events", () => {
    const [winter, once] = readScript("\n== garden 11-2 @5-7\njo: a\n\n== trips once 5\njo: b\n");
    expect(winter).toMatchObject({ channel: "garden", isOnce: false, months: [1, 2, 11, 12], hours: [5, 7] });
    expect(once).toMatchObject({ channel: "trips", isOnce: true, months: [5], hours: null });
    expect(() => readScript("== two words\njo: a")).toThrow(SyntaxError);
  });

  it.each(sampleRooms.map((sampleRoom) => [sampleRoom.key, sampleRoom] as const))(
    "%s is said by its members",
    (_key, sampleRoom) => {
      const names = [...namesOf(sampleRoom.members), ...(sampleRoom.kind === "direct" ? ["me"] : [])];
      const channels = [...sampleRoom.channels.map(({ name }) => name), "direct"];
      for (const { channel, lines } of readScript(sampleRoom.script)) {
        expect(channels).toContain(channel);
        for (const { speaker, reactions } of lines)
          expect(names).toEqual(expect.arrayContaining([speaker, ...reactions.flatMap(({ by }) => by)]));
      }
      for (const { channel, speaker, answers } of readSmallTalk(smallTalk[sampleRoom.key] ?? "")) {
        expect(channels).toContain(channel);
        expect(["*", ...names]).toContain(speaker);
        expect(answers.length).toBeGreaterThan(2);
      }
    },
  );
});
