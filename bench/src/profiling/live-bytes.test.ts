import { describe, expect, it } from "@jest/globals";
import type { HeapProfiler } from "node:inspector";
import { liveBytes } from "./live-bytes.ts";

const node = (
  functionName: string,
  selfSize: number,
  children: HeapProfiler.SamplingHeapProfileNode[] = [],
): HeapProfiler.SamplingHeapProfileNode => ({
  callFrame: { functionName, url: "node:net", lineNumber: 4, columnNumber: 0, scriptId: "1" },
  selfSize,
  children,
});

describe("live bytes", () => {
  it("adds up what one function allocated, whoever called it", () => {
    const head = node("root", 1, [node("a", 10, [node("b", 5)]), node("b", 20)]);
    expect(liveBytes({ head }, "file:///")).toEqual([
      { frame: "b node:net:5", bytes: 25 },
      { frame: "a node:net:5", bytes: 10 },
      { frame: "root node:net:5", bytes: 1 },
    ]);
  });
});
