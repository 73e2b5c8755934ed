interface Picture {
  readonly size: number;
  readonly png: Buffer;
}

/** A Windows icon: a directory of PNG pictures (since Windows Vista). */
export function icoFile(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** The picture of each entry of an Apple icon; the second name of a size is the doubled half size. */
const entries = [
  ["icp4", 16],
  ["icp5", 32],
  ["ic11", 32],
  ["ic12", 64],
  ["ic07", 128],
  ["ic13", 256],
  ["ic08", 256],
  ["ic14", 512],
  ["ic09", 512],
  ["ic10", 1024],
] as const;

function icnsEntry(type: string, png: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, "latin1");
  header.writeUInt32BE(8 + png.length, 4);
  return Buffer.concat([header, png]);
}

/** An Apple icon of PNG pictures (since macOS 10.7). */
export function icnsFile(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const body = entries.flatMap(([type, size]) => {
    const png = pictures.get(size);
    return png ? [icnsEntry(type, png)] : [];
  });
  return icnsEntry("icns", Buffer.concat(body));
}
