const hex = (value: number, length: number): string => value.toString(16).padStart(length, "0");

/** UUIDs of version 7 that sort by creation within this source (RFC 9562, 6.2, method 1). */
export function createIdSource(now: () => number, randomBytes: (length: number) => Uint8Array): () => string {
  let time = 0;
  let count = 0;
  return () => {
    const bytes = randomBytes(10);
    const [first = 0, second = 0, ...rest] = bytes;
    const present = Math.max(0, Math.floor(now()));
    if (present > time) {
      time = present;
      count = ((first & 0x07) << 8) | second;
    } else {
      count += 1;
      if (count > 0xfff) {
        time += 1;
        count = 0;
      }
    }
    const [variant = 0, ...tail] = rest;
    const stamp = hex(time, 12);
    const end = [hex((variant & 0x3f) | 0x80, 2), ...tail.map((byte) => hex(byte, 2))].join("");
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${hex(count, 3)}-${end.slice(0, 4)}-${end.slice(4)}`;
  };
}
