/** What one member of a room sent and received, in messages and in bytes. */
export interface Tally {
  readonly sent: number;
  readonly receivedBytes: number;
}

/**
 * What is wrong with the deliveries, if anything is: everybody gets each message of the others exactly once,
 * and every message has the same size.
 */
export function wrongDelivery(
  tallies: readonly Tally[],
  messages: number,
  frameBytes: number,
): string | undefined {
  for (const { sent, receivedBytes } of tallies) {
    const expected = (messages - sent) * frameBytes;
    if (receivedBytes !== expected) return `a receiver got ${receivedBytes} bytes instead of ${expected}`;
  }
  return undefined;
}
