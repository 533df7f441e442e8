// What travels between the two ends of a tunnel: bytes as [u8 1][u48 position][bytes], all else as JSON.
import { z } from 'zod';

/** Most bytes of a stream in one message: far below the smallest `max_payload` that servers are given. */
export const longestPiece = 32 * 1024;
const longestWords = 500;
const dataKind = 1;
const headBytes = 7;

const position = z.int().min(0);
const words = z.string().max(longestWords);

const Said = z.discriminatedUnion('kind', [
  /** The stream ends here. It counts as one byte, so that it is numbered and acknowledged as all others are. */
  z.object({ kind: z.literal('end'), at: position }),
  /** All before `received` is here, and what lies before `limit` may be sent. `gap`: what follows `received` is missing. */
  z.object({ kind: z.literal('ack'), received: position, limit: position, gap: z.boolean() }),
  /** The tunnel is over, and why. */
  z.object({ kind: z.literal('reset'), words }),
  /** The answers to a hello: where the other end of the tunnel is reached, or why there is none. */
  z.object({ kind: z.literal('welcome'), inbox: words }),
  z.object({ kind: z.literal('refusal'), words }),
]);

/** `data`: bytes of the stream, `at` their position. */
export type Frame = z.infer<typeof Said> | { kind: 'data'; at: number; bytes: Uint8Array };

/** Words that are too long are cut. */
export function encodeFrame(frame: Frame): Buffer {
  if (frame.kind !== 'data') {
    const short = 'words' in frame ? { words: frame.words.slice(0, longestWords) } : {};
    return Buffer.from(JSON.stringify({ ...frame, ...short }));
  }
  const out = Buffer.allocUnsafe(headBytes + frame.bytes.length);
  out[0] = dataKind;
  out.writeUIntBE(frame.at, 1, 6);
  out.set(frame.bytes, headBytes);
  return out;
}

/** @returns undefined for what is no frame. The bytes of one are a view. */
export function decodeFrame(message: Uint8Array): Frame | undefined {
  const all = Buffer.from(message.buffer, message.byteOffset, message.length);
  if (all[0] === dataKind && all.length >= headBytes) {
    return { kind: 'data', at: all.readUIntBE(1, 6), bytes: all.subarray(headBytes) };
  }
  try {
    return Said.safeParse(JSON.parse(String(all))).data;
  } catch {
    return undefined;
  }
}
