const FINAL = 0x80;

/** The opcodes of RFC 6455 that this server writes. */
export const OPCODE = { text: 0x1, ping: 0x9, pong: 0xa } as const;

const headLength = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10);

function allocate(opcode: number, length: number): Buffer {
  const head = headLength(length);
  // Not from the shared pool: a frame that waits for a slow reader would keep the other frames of its slab in memory.
  const frame = Buffer.allocUnsafeSlow(head + length);
  frame[0] = FINAL | opcode;
  if (head === 2) {
    frame[1] = length;
  } else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(Math.floor(length / 0x1_0000_0000), 2);
    frame.writeUInt32BE(length % 0x1_0000_0000, 6);
  }
  return frame;
}

/** One unmasked, unfragmented text frame, without compression. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = allocate(OPCODE.text, length);
  frame.write(text, headLength(length));
  return frame;
}

/** A ping or a pong with at most 125 bytes of payload. */
export function controlFrame(opcode: number, payload: Uint8Array): Buffer {
  const frame = allocate(opcode, payload.length);
  frame.set(payload, headLength(payload.length));
  return frame;
}
