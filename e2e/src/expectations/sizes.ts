/** Set by the protocol: WS12. */
export const FRAME_BYTES = 1_048_576;
export const MESSAGE_BYTES = 65_536;
