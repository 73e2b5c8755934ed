/** The text of a response; `null` as soon as it is longer than the limit or not UTF-8. */
export async function boundedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return "";
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    try {
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size <= maxBytes) text += decoder.decode(value, { stream: true });
      else throw new RangeError("The answer is too long");
    } catch {
      void reader.cancel().catch(() => undefined);
      return null;
    }
  }
}
