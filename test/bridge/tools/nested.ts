/** Objects inside each other. */
export function nested(depth: number, key = 'a'): object {
  let value: object = {};
  for (let level = 1; level < depth; level += 1) value = { [key]: value };
  return value;
}
