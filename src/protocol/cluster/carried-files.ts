// Files that belong to a conversation, as they go to another machine with it.
import { z } from 'zod';

/** Bytes of all files of a conversation together, and how many: each change of one writes all of them to the servers. */
export const carriedLimits = { bytes: 1024 * 1024, files: 1000 } as const;

const longestPath = 1024;
/** A name that leads nowhere else on any system: neither up, nor to a drive, a stream or a device. */
const isPlainName = (name: string): boolean =>
  name !== '' && !/^\.{1,2}$|[\p{Cc}\p{Cs}/\\:]/u.test(name) && Buffer.byteLength(name) <= 255;

/** A folder of the conversation, and what lies below it: `memory/notes/a.md`. */
export const isCarriedPath = (path: string): boolean =>
  path.length <= longestPath && path.includes('/') && path.split('/').every(isPlainName);

const CarriedFile = z.object({ path: z.string().refine(isCarriedPath), data: z.base64() });
export type CarriedFile = z.infer<typeof CarriedFile>;

/** All of them. Absent where nothing is known of them: then what is there stays as it is. */
export const CarriedFiles = z
  .array(CarriedFile)
  .max(carriedLimits.files)
  .refine((files) => files.reduce((sum, { data }) => sum + bytesOf(data), 0) <= carriedLimits.bytes);

const bytesOf = (base64: string): number => Buffer.byteLength(base64, 'base64');
