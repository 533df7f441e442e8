// A vector as bytes: an eighth of the memory and the time, and an order that is nearly the same.

/** Of a vector of length 1; numbers beyond the largest of it are none. */
export function quantised(vector: Float32Array): Int8Array {
  const largest = largestOf(vector);
  const scale = largest === 0 ? 0 : 127 / largest;
  return Int8Array.from(vector, (number) => Math.round(number * scale));
}

/** What the bytes are multiplied by to be the numbers again. */
export const scaleOf = (vector: Float32Array): number => largestOf(vector) / 127;

const largestOf = (vector: Float32Array): number =>
  vector.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);

export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
