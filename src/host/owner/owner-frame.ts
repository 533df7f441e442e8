import type { OwnerFrame } from '../../protocol/wire/host.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isNumberOrNone: Check = (value) => value === undefined || isNumber(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isMs: Check = (value) => typeof value === 'number' && value >= 0;
const isDigest: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** What stands in the head of each frame. */
const fields: { [T in OwnerFrame['type']]: Record<string, Check> } = {
  hello: { versions: (value) => Array.isArray(value) && value.every(isNumber), nonce: isDigest },
  proof: { proof: isDigest },
  start: { token: isDigest, cols: isCount, rows: isCount },
  attach: {},
  input: { id: (value) => value === undefined || isText(value) },
  resize: { cols: isNumber, rows: isNumber },
  kill: { signal: isText, all: (value) => typeof value === 'boolean' },
  answer: { hook: isNumber },
  ack: { through: isCount },
  done: { hook: isNumber },
  checkpoint: { at: isCount, cols: isCount, rows: isCount },
  keep: { ms: isMs },
  lease: { ms: isNumberOrNone, at: isNumberOrNone },
  memo: {},
  notice: { keep: (value) => typeof value === 'boolean' },
  pong: {},
  quit: { now: (value) => value === undefined || typeof value === 'boolean' },
};

/** Whether a frame is as its type says. One of a type that this release does not know is: a newer one may send it. */
export function isOwnerFrame(frame: { type: string }): boolean {
  if (!Object.hasOwn(fields, frame.type)) return true;
  const given = frame as Record<string, unknown>;
  return Object.entries(fields[frame.type as OwnerFrame['type']]).every(([name, check]) =>
    check(given[name]),
  );
}
