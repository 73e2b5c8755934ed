import { createHash } from "node:crypto";
import { expect, it, jest } from "@jest/globals";
import { CONTENT_SECURITY_POLICY } from "./content-rules.ts";

/** As much of a page as the picker needs to make itself. */
async function styleOfPicker(): Promise<string> {
  const styles: { textContent: string }[] = [];
  const page = globalThis as unknown as Record<string, unknown>;
  page["HTMLElement"] = class {
    shadowRoot = { appendChild: (element: { textContent: string }) => void styles.push(element) };
    attachShadow = jest.fn();
  };
  page["Element"] = page["HTMLElement"];
  page["customElements"] = { get: jest.fn(), define: jest.fn() };
  page["document"] = { createElement: (name: string) => ({ name, textContent: "" }) };
  page["requestAnimationFrame"] = jest.fn();
  const { default: Picker } = await import("emoji-picker-element/picker.js");
  // With a database it does not open one of its own.
  const source = { locale: "en", dataSource: "emoji.json" };
  const picker = new Picker({ ...source, database: source } as object);
  expect(picker).toBeInstanceOf(page["HTMLElement"]);
  expect(styles).toMatchObject([{ name: "style" }]);
  return styles[0]?.textContent ?? "";
}

it("S16 the window's policy names the style of the emoji picker as it is, and no other", async () => {
  const hash = createHash("sha256")
    .update(await styleOfPicker())
    .digest("base64");
  const [, styles] = /(?:^|; )style-src ([^;]*)/.exec(CONTENT_SECURITY_POLICY) ?? [];
  expect(styles).toBe(`'self' 'sha256-${hash}'`);
});
