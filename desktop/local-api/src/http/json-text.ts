/** A JSON response that is already text, as a string or UTF-8. `toJSON` keeps it correct if somebody stringifies it. */
export class JsonText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.text).toString());
  }
}

/** Lets a controller return JSON text where its signature, and so the document, declares the shape. */
export const textOf = (text: string | Uint8Array): never => new JsonText(text) as never;
