import { crc32, deflateSync } from "node:zlib";

/** 8 × 8 pixels, one letter each; a dot is transparent. */
const drawings: Readonly<Record<string, string>> = {
  horse: "......bb.....bbb.....b.b.bbbbb..bbbbbb...b..b...b..b....b..b....",
  pretzel: "..oooo...o....o.o.o..o.oo..oo..oo.oooo.o.oo..oo...o..o..........",
  robin: "...gg....gwgg..oggggg..rrgggg..rrggg....ggg.....b.b.....b.b.....",
  stapler: "........kkkkkkk.kkkkkkkk......kkwwwwwwkkkkkkkkkkkkkkkkkk........",
};

const colours: Readonly<Record<string, readonly number[]>> = {
  b: [0x6b, 0x44, 0x23, 255],
  g: [0x7a, 0x6a, 0x58, 255],
  k: [0x2b, 0x2d, 0x42, 255],
  o: [0xb8, 0x6b, 0x1d, 255],
  r: [0xd9, 0x48, 0x1f, 255],
  w: [0xf4, 0xf1, 0xea, 255],
};

const SIDE = 8;
const SCALE = 8;

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function png(drawing: string): Buffer {
  const side = SIDE * SCALE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: side }, (_, y) => {
    const pixels = Array.from({ length: side }, (_pixel, x) => {
      const letter = drawing[Math.floor(y / SCALE) * SIDE + Math.floor(x / SCALE)] ?? ".";
      return colours[letter] ?? [0, 0, 0, 0];
    });
    return Buffer.from([0, ...pixels.flat()]);
  });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows)))];
  return Buffer.concat([signature, ...parts, chunk("IEND", Buffer.alloc(0))]);
}

/** Custom emoji, small enough to be drawn here. */
export const pictures = (): readonly { readonly shortcode: string; readonly bytes: Uint8Array }[] =>
  Object.entries(drawings).map(([shortcode, drawing]) => ({
    shortcode,
    bytes: new Uint8Array(png(drawing)),
  }));
