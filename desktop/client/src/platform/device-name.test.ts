import { describe, expect, it } from "@jest/globals";
import { deviceNameOf } from "./device-name.ts";

const KHTML = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("the name of a device", () => {
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/140.0.0.0 Safari/537.36`,
      "Chrome on Windows",
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${KHTML} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, "Edge on Windows"],
    [`Mozilla/5.0 (Linux; Android 15) ${KHTML} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) FxiOS/140.0 Mobile", "Firefox on iPhone"],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/140.0 Safari/537.36`, "Chrome on ChromeOS"],
    ["something else", "Browser"],
    ["", "Browser"],
  ])("%s is %s", (userAgent, name) => {
    expect(deviceNameOf(userAgent)).toBe(name);
  });

  it("is that of the app in its window", () => {
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Hearth/1.0 Chrome/140.0 Electron/45.0 Safari/537.36`;
    expect(deviceNameOf(userAgent, "Hearth")).toBe("Hearth on Linux");
  });
});
