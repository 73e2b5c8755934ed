import { describe, expect, it } from "@jest/globals";
import { answerSize } from "./keep-alive-client.ts";

const head = "HTTP/1.1 200 OK\r\nX-Request-Id: 1\r\nContent-Length: 4\r\n\r\n";

describe("an HTTP answer", () => {
  it("has a size as soon as its head is there", () => {
    expect(answerSize(Buffer.from(head.slice(0, -1)))).toBeUndefined();
    expect(answerSize(Buffer.from(head))).toEqual({ status: 200, size: head.length + 4 });
    expect(answerSize(Buffer.from("HTTP/1.1 502 Bad Gateway\r\ncontent-length:0\r\n\r\n"))?.status).toBe(502);
  });

  it("is refused when its length is not known", () => {
    expect(() => answerSize(Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))).toThrow(
      "cannot be read",
    );
  });
});
