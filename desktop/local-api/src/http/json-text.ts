/** A JSON answer that is text already, as a string or in UTF-8. `toJSON` serves whoever stringifies it all the same. */
export class JsonText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.text).toString());
  }
}

/** Lets a controller answer with text where its signature, and so the document, names the shape of that text. */
export const textOf = (text: string | Uint8Array): never => new JsonText(text) as never;
