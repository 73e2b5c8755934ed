import { sha256Hex } from "@hearth/runtime";
import type { DeviceAttachment } from "@hearth/device";
import { texts } from "./material/texts.ts";
import type { Random } from "./random.ts";

/** A file of the sample; `text` is its content if the device has it. */
export interface SampleFile extends Omit<DeviceAttachment, "isLocal"> {
  readonly text: string | null;
}

const kinds: Readonly<Record<string, readonly [mime: string, smallest: number, largest: number]>> = {
  jpg: ["image/jpeg", 180_000, 4_200_000],
  png: ["image/png", 60_000, 1_900_000],
  pdf: ["application/pdf", 90_000, 700_000],
  ods: ["application/vnd.oasis.opendocument.spreadsheet", 14_000, 60_000],
};

const textKinds: Readonly<Record<string, string>> = { md: "text/markdown", txt: "text/plain" };

const extensionOf = (filename: string): string => filename.slice(filename.lastIndexOf(".") + 1);

type FileOwner = Pick<SampleFile, "messageId" | "roomId" | "createdAt">;

/** A file that only others have. */
export function distantFile(random: Random, filename: string, owner: FileOwner): SampleFile {
  const [mime, smallest, largest] = kinds[extensionOf(filename)] ?? [
    "application/octet-stream",
    1_000,
    9_000,
  ];
  const id = random.uuid();
  const size = random.between(smallest, largest);
  return { ...owner, id, filename, size, mime, hash: sha256Hex(`${id} of the sample`), text: null };
}

/** A file whose bytes are on the device. */
export function textFile(random: Random, filename: string, owner: FileOwner): SampleFile {
  const text = texts[filename];
  const mime = textKinds[extensionOf(filename)];
  if (text === undefined || mime === undefined) throw new RangeError(`there is no text ${filename}`);
  const size = Buffer.byteLength(text);
  return { ...owner, id: random.uuid(), filename, size, mime, hash: sha256Hex(text), text };
}
