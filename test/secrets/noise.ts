import { createHash } from 'node:crypto';

/** Numbers from 0 to below 1, the same each time for the same seed. */
export function randomFill(seed: string): () => number {
  let block = Buffer.alloc(0);
  let [part, at] = [0, 0];
  return () => {
    if (at + 4 > block.length) {
      block = createHash('sha512').update(`${seed} ${part}`).digest();
      part += 1;
      at = 0;
    }
    at += 4;
    return block.readUInt32BE(at - 4) / 2 ** 32;
  };
}
