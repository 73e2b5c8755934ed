import type { DeviceMessage } from "@hearth/device";

/** A record with its ids and index entries. */
const RECORD_BYTES = 1_000;

/** The approximate size of a stored message. */
export const sizeOfMessage = ({ content }: Pick<DeviceMessage, "content">): number =>
  RECORD_BYTES + 2 * content.length;
