import { z } from "zod";
import { hashSchema, idSchema, mimeSchema, nameSchema, pathSchema, timeSchema } from "./kinds.ts";

/** A file that came with a message. The record does not say where its bytes lie on this machine. */
export interface DeviceAttachment {
  readonly id: string;
  readonly messageId: string;
  readonly roomId: string;
  readonly filename: string;
  /**
   * Bytes.
   * @isLong
   */
  readonly size: number;
  readonly mime: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** True when the bytes are on this device. */
  readonly isLocal: boolean;
  /** @isLong */
  readonly createdAt: number;
}

/** An attachment with the place of its bytes on this machine, which the local API never answers. */
export interface NewAttachment extends Omit<DeviceAttachment, "isLocal"> {
  readonly localPath: string | null;
}

export const attachmentSchema = z.object({
  id: idSchema,
  messageId: idSchema,
  roomId: idSchema,
  filename: nameSchema,
  size: z.int().min(0),
  mime: mimeSchema,
  hash: hashSchema,
  createdAt: timeSchema,
  localPath: pathSchema.nullable(),
}) satisfies z.ZodType<NewAttachment>;

/** The attachment without the place of its bytes. */
export const attachmentOf = ({ localPath, ...attachment }: NewAttachment): DeviceAttachment => ({
  ...attachment,
  isLocal: localPath !== null,
});
