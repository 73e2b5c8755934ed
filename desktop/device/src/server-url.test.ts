import { describe, expect, it } from "@jest/globals";
import { normaliseServerUrl, serverUrlSchema } from "./server-url.ts";

const urlOf = (text: string): string => {
  const server = normaliseServerUrl(text);
  return server.ok ? server.url : `refused: ${server.reason}`;
};

const OK = "http://ok.example";

describe("instance URLs", () => {
  it.each([
    ["as it is", "http://ok.example"],
    ["a slash at the end", "http://ok.example/"],
    ["scheme and host in capitals, and the default port", "HTTP://OK.Example:80/"],
    ["a default port with a zero in front", "http://ok.example:080"],
    ["a colon without a port", "http://ok.example:"],
    ["full-width letters", "http://ｏｋ．ｅｘａｍｐｌｅ"],
    ["an ideographic full stop", "http://ok。example"],
    ["a path that leads nowhere", "http://ok.example/../"],
    ["dots in a path, encoded", "http://ok.example/%2e%2e/"],
  ])("LA5 L12 another spelling of the same instance: %s", (_what, text) => {
    expect(urlOf(text)).toBe(OK);
  });

  it.each([
    ["https://OK.example:443", "https://ok.example"],
    ["https://ok.example:80", "https://ok.example:80"],
    ["http://ok.example:443", "http://ok.example:443"],
    ["http://ok.example:8080/", "http://ok.example:8080"],
    ["http://ok.example.", "http://ok.example."],
    ["http://ok.example%2eevil.test", "http://ok.example.evil.test"],
    ["http://xn--nxa.example", "http://xn--nxa.example"],
    ["http://b\u00FCcher.example", "http://xn--bcher-kva.example"],
    ["http://\u043Ek.example", "http://xn--k-0tb.example"],
    ["http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"],
    ["http://[0:0:0:0:0:0:0:1]:3000", "http://[::1]:3000"],
  ])("LA5 L9 L10 another instance: %s", (text, url) => {
    expect(urlOf(text)).toBe(url);
    expect(url).not.toBe(OK);
  });

  it.each(["127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1.", "0x7F000001", "127.0.0.1:80"])(
    "LA5 L10 %s is what a URL parser makes of it",
    (host) => {
      expect(urlOf(`http://${host}`)).toBe("http://127.0.0.1");
    },
  );

  it.each([
    ["L7 C9 a user", "http://ok.example@evil.test"],
    ["L7 C9 a user and a password", "http://me:secret@ok.example"],
    ["L7 an empty user, which a parser drops", "http://@ok.example"],
    ["L8 a fragment", "http://evil.test#ok.example"],
    ["L8 an empty fragment", "http://ok.example/#"],
    ["a query", "http://ok.example/?a"],
    ["an empty query", "http://ok.example?"],
    ["L9 a tab, which a parser drops", "http://ok.ex\tample"],
    ["L9 a line break", "http://ok.example\n"],
    ["a NUL", "http://ok.example\u0000"],
    ["a blank in front", " http://ok.example"],
    ["a no-break space", "http://ok.example\u00A0"],
    ["a zero-width space", "http://ok\u200B.example"],
    ["a soft hyphen, which a parser drops", "http://o\u00ADk.example"],
    ["a right-to-left override", "http://\u202Eok.example"],
    ["a backslash", "http:\\\\ok.example"],
    ["a backslash behind the host", "http://ok.example\\@evil.test"],
    ["no slashes", "http:ok.example"],
    ["three slashes", "http:///ok.example"],
    ["a path", "http://ok.example/chat"],
    ["a path of slashes", "http://ok.example//"],
    ["L11 file", "file:///etc/passwd"],
    ["L11 javascript", "javascript:alert(1)"],
    ["L11 ws", "ws://ok.example"],
    ["L11 data", "data:text/plain,x"],
    ["L11 ftp", "ftp://ok.example"],
    ["no scheme", "ok.example"],
    ["no scheme but slashes", "//ok.example"],
    ["nothing", ""],
    ["no host", "http://"],
    ["a port beyond all", "http://ok.example:65536"],
    ["port 0", "http://ok.example:0"],
    ["a zone", "http://[::1%25eth0]/"],
    ["an address beyond all", "http://256.1.1.1"],
    ["a lone surrogate", "http://\uD800.example"],
    ["10 KB", `http://${"a.".repeat(5_000)}example`],
  ])("LA5 refused: %s", (_what, text) => {
    expect(urlOf(text)).toMatch(/^refused: (An address must|This is not)/);
  });

  it("LA5 normalising twice changes nothing", () => {
    for (const text of ["HTTPS://Ok.Example:443/", "http://127.1:8080", "http://b\u00FCcher.example"]) {
      expect(urlOf(urlOf(text))).toBe(urlOf(text));
    }
  });

  it("LA5 the schema names the problem and never repeats the text", () => {
    const refused = serverUrlSchema.safeParse("http://me:secret@ok.example");
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([
      "An address must not contain a username or a password.",
    ]);
    expect(serverUrlSchema.parse("HTTP://OK.example/")).toBe(OK);
    expect(serverUrlSchema.safeParse(null).success).toBe(false);
  });
});
