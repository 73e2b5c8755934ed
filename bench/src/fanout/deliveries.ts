/** One member's sent and received messages and bytes. */
export interface Tally {
  readonly sent: number;
  readonly receivedBytes: number;
}

/**
 * The error in the deliveries, if any: each member must get every other member's messages exactly once, all of the
 * same size.
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
