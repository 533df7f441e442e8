// One line that says how far the journal went, to be kept where nobody who can write the journal can write.
import { type ChainKey, sameSeal } from './chain-key.ts';

export interface Anchor {
  seq: number;
  link: string;
  marks: number;
  /** ISO time. */
  at: string;
  /** Id of the key it was made with. */
  key: string;
}

const form =
  /^synthesis-anchor 1 seq=(\d{1,15}) link=([0-9a-f]{32}) marks=(\d{1,6}) at=(\S{1,32}) key=([0-9a-f]{16}) seal=([0-9a-f]{32})$/;

const textOf = ({ seq, link, marks, at, key }: Anchor) =>
  `synthesis-anchor 1 seq=${seq} link=${link} marks=${marks} at=${at} key=${key}`;

export function anchorLine(key: ChainKey, about: Omit<Anchor, 'key'>): string {
  const text = textOf({ ...about, key: key.id });
  return `${text} seal=${key.anchor(text)}`;
}

/** @returns words when it is no anchor, or was made with this key and changed since */
export function readAnchor(line: string, key: ChainKey): Anchor | string {
  const [, seq, link = '', marks, at = '', id = '', seal] = form.exec(line.trim()) ?? [];
  if (!seal) return 'it is not a line of `synthesis audit anchor`';
  const anchor = { seq: Number(seq), link, marks: Number(marks), at, key: id };
  if (id === key.id && !sameSeal(seal, key.anchor(textOf(anchor)))) return 'it does not carry its own seal';
  return anchor;
}
