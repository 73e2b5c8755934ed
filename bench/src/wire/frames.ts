const FIN = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
/** Not zero, so that servers must unmask it as for any client. */
const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

export const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const;

function head(opcode: number, length: number, masked: 0 | typeof MASKED): Buffer {
  if (length < LENGTH_16) return Buffer.from([FIN | opcode, masked | length]);
  if (length > 0xffff) {
    const long = Buffer.alloc(10);
    long[0] = FIN | opcode;
    long[1] = masked | LENGTH_64;
    long.writeBigUInt64BE(BigInt(length), 2);
    return long;
  }
  return Buffer.from([FIN | opcode, masked | LENGTH_16, length >> 8, length & 0xff]);
}

/** A frame as a client sends it (RFC 6455): whole, masked. */
export function clientFrame(payload: string | Buffer, opcode: number = OPCODE.text): Buffer {
  const data = Buffer.from(payload);
  for (let at = 0; at < data.length; at += 1) data[at] = (data[at] ?? 0) ^ (MASK[at & 3] ?? 0);
  return Buffer.concat([head(opcode, data.length, MASKED), MASK, data]);
}

/** A frame as a server sends it. */
export const serverFrame = (payload: Buffer): Buffer =>
  Buffer.concat([head(OPCODE.text, payload.length, 0), payload]);

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Reads a server's frames from a stream of bytes. No server here fragments messages. */
export class FrameReader {
  private pending: Buffer = Buffer.alloc(0);

  /** The frames that the chunk completes. What it returns does not share memory with the chunk. */
  push(chunk: Buffer): Frame[] {
    this.pending = Buffer.concat([this.pending, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.take(); frame; frame = this.take()) frames.push(frame);
    return frames;
  }

  private take(): Frame | undefined {
    const { pending } = this;
    const [first, second] = pending;
    if (first === undefined || second === undefined) return undefined;
    const size = this.payloadSize(second);
    if (size === undefined || pending.length < size.start + size.length) return undefined;
    const payload = pending.subarray(size.start, size.start + size.length);
    this.pending = pending.subarray(size.start + size.length);
    return { opcode: first & 0x0f, payload };
  }

  private payloadSize(second: number): { start: number; length: number } | undefined {
    const { pending } = this;
    if (second < LENGTH_16) return { start: 2, length: second };
    if (second === LENGTH_16) {
      return pending.length < 4 ? undefined : { start: 4, length: pending.readUInt16BE(2) };
    }
    return pending.length < 10 ? undefined : { start: 10, length: Number(pending.readBigUInt64BE(2)) };
  }
}
