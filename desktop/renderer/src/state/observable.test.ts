import { describe, expect, it } from "@jest/globals";
import { createSource } from "./observable.ts";

describe("a source", () => {
  it("tells its listeners of a new value, and not of the same one", () => {
    const source = createSource("a");
    const heard: string[] = [];
    source.subscribe(() => heard.push(source.get()));
    source.set("b");
    source.set("b");
    expect(heard).toEqual(["b"]);
  });

  it("goes on with the others when a listener ends itself while it is told", () => {
    const source = createSource(0);
    const heard: string[] = [];
    const end = source.subscribe(() => {
      heard.push("first");
      end();
    });
    source.subscribe(() => heard.push("second"));
    source.set(1);
    source.set(2);
    expect(heard).toEqual(["first", "second", "second"]);
  });
});
