// A vector as bytes: an eighth of the memory and the time, and an order that is nearly the same.

/** Of a vector of length 1; numbers beyond the largest of it are none. */
export function quantised(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const scale = largest === 0 ? 0 : 127 / largest;
  return Int8Array.from(vector, (number) => Math.round(number * scale));
}

/** What the bytes are multiplied by to be the numbers again. */
export function scaleOf(vector: Float32Array): number {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  return largest / 127;
}

export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
