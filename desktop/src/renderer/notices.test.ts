import { describe, expect, it } from "@jest/globals";
import type { DeviceMessage } from "../device/records.ts";
import { noticeWords } from "./notices.ts";

const arrival = (senderDisplayName: string, content: string, isMention = false) => ({
  place: { roomId: "r", channelId: "c" },
  message: { senderDisplayName, content } as DeviceMessage,
  isMention,
});

describe("what a notification says", () => {
  it("names the sender and the place of one message, and shows its text without marks", () => {
    expect(
      noticeWords({ roomName: "Kitchen", arrivals: [arrival("Ada", "**Tea** [now](https://a.example)?")] }),
    ).toEqual({
      title: "Ada in Kitchen",
      body: "Tea now?",
    });
  });

  it("says so when it is a mention", () => {
    const { title } = noticeWords({ roomName: "Kitchen", arrivals: [arrival("Ada", "@ben", true)] });
    expect(title).toBe("Ada mentioned you in Kitchen");
  });

  it("counts several, shows the latest three, and tells of a mention among them first", () => {
    const many = ["one", "two", "three", "four"].map((text) => arrival("Ada", text));
    expect(noticeWords({ roomName: "Kitchen", arrivals: many })).toEqual({
      title: "4 new messages in Kitchen",
      body: "Ada: two\nAda: three\nAda: four",
    });
    const mention = noticeWords({ roomName: "Kitchen", arrivals: [...many, arrival("Ben", "@you", true)] });
    expect(mention.title).toBe("Ben mentioned you in Kitchen");
  });

  it("stays short", () => {
    const { body } = noticeWords({ roomName: "Kitchen", arrivals: [arrival("Ada", "word ".repeat(500))] });
    expect(body.length).toBeLessThanOrEqual(201);
  });
});
