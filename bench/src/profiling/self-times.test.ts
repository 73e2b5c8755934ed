import { describe, expect, it } from "@jest/globals";
import type { Profiler } from "node:inspector";
import { kindsOfTime, selfTimes } from "./self-times.ts";

const node = (id: number, functionName: string, url: string): Profiler.ProfileNode => ({
  id,
  callFrame: { functionName, url, lineNumber: 9, columnNumber: 0, scriptId: "1" },
});

const root = "file:///somewhere/";
const profile: Profiler.Profile = {
  nodes: [
    node(1, "(idle)", ""),
    node(2, "writeBuffer", ""),
    node(3, "deliver", `${root}presence-service/src/delivery/rooms.ts`),
    node(4, "", `${root}node_modules/ws/lib/sender.js`),
    node(5, "deliver", `${root}presence-service/src/delivery/rooms.ts`),
    node(6, "post", "node:inspector"),
    node(7, "(garbage collector)", ""),
    node(8, "_write", "node:net"),
  ],
  startTime: 0,
  endTime: 1000,
  samples: [1, 2, 3, 5, 4, 1, 6, 7, 8],
  timeDeltas: [500, 50, 10, 20, 10, 400, 300, 4, 6],
};

describe("self times", () => {
  it("adds up what belongs to one function, leaves waiting out, and says where it is written", () => {
    expect(selfTimes(profile, root)).toEqual([
      { frame: "writeBuffer", share: 50 },
      { frame: "deliver presence-service/src/delivery/rooms.ts:10", share: 30 },
      { frame: "(anonymous) ws/lib/sender.js:10", share: 10 },
      { frame: "_write node:net:10", share: 6 },
      { frame: "(garbage collector)", share: 4 },
    ]);
  });

  it("says whose code it is", () => {
    expect(kindsOfTime(profile, root)).toEqual([
      { frame: "writing to sockets: the kernel", share: 50 },
      { frame: "our own code", share: 30 },
      { frame: "packages", share: 10 },
      { frame: "Node's own code, and what no function is known for", share: 6 },
      { frame: "collecting garbage", share: 4 },
    ]);
  });
});
