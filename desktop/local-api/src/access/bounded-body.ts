/** The text of a response; `undefined` as soon as it is longer than the limit or not UTF-8. */
export async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
