import { describe, expect, it } from "@jest/globals";
import { createRecents } from "./recents.ts";

const place = (channelId: string) => ({ roomId: "r", channelId });

function deviceStore(stored?: string) {
  const meta = new Map(stored === undefined ? [] : [["recent-places", stored]]);
  return {
    meta: async (key: string) => meta.get(key),
    setMeta: async (key: string, value: string) => void meta.set(key, value),
  };
}

describe("where somebody was", () => {
  it("is kept, the latest first and each once", async () => {
    const store = deviceStore();
    const recents = createRecents(store);
    await recents.load();
    for (const id of ["a", "b", "a", "a"]) recents.visit(place(id));
    expect(recents.state.getState()).toEqual([place("a"), place("b")]);
    const later = createRecents(store);
    later.visit(place("c"));
    await later.load();
    expect(later.state.getState()).toEqual([place("c"), place("a"), place("b")]);
    const last = createRecents(store);
    await last.load();
    expect(last.state.getState()).toEqual(later.state.getState());
  });

  it.each(["{", "[1]", '{"a":1}', '[{"roomId":7}]'])("starts anew where %j is stored", async (stored) => {
    const recents = createRecents(deviceStore(stored));
    await recents.load();
    expect(recents.state.getState()).toEqual([]);
  });

  it("is bounded, and goes on without a store", async () => {
    const away = async (): Promise<never> => {
      throw new Error("away");
    };
    const recents = createRecents({ meta: away, setMeta: away });
    await recents.load();
    for (let index = 0; index < 80; index += 1) recents.visit(place(String(index)));
    expect(recents.state.getState()).toHaveLength(50);
    expect(recents.state.getState()[0]).toEqual(place("79"));
  });
});
