import { createHash } from "node:crypto";
import { expect, it, jest } from "@jest/globals";
import { CONTENT_SECURITY_POLICY } from "./content-rules.ts";

/** As much of a page as the emoji picker needs. */
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
  // With a database it does not open its own.
  const source = { locale: "en", dataSource: "emoji.json" };
  const picker = new Picker({ ...source, database: source } as object);
  expect(picker).toBeInstanceOf(page["HTMLElement"]);
  expect(styles).toMatchObject([{ name: "style" }]);
  return styles[0]?.textContent ?? "";
}

it("S16 the window's policy contains the hash of the emoji picker's style, and no other", async () => {
  const hash = createHash("sha256")
    .update(await styleOfPicker())
    .digest("base64");
  const [, styles] = /(?:^|; )style-src ([^;]*)/.exec(CONTENT_SECURITY_POLICY) ?? [];
  expect(styles).toBe(`'self' 'sha256-${hash}'`);
});
