import type { DeviceMessage } from "@hearth/device";

/** A record with its ids and its places in the indexes. */
const RECORD_BYTES = 1_000;

/** What a message takes up, roughly. */
export const sizeOfMessage = ({ content }: Pick<DeviceMessage, "content">): number =>
  RECORD_BYTES + 2 * content.length;
