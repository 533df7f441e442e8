// Everything that is decided about a segment without reading it stands in its name. The time of the file says nothing:
// a copy, a restored backup or a touch changes it.
import { basename } from 'node:path';

/** A part of the journal that was moved out of the database: rows `first` to `last`, in one compressed file. */
export interface Segment {
  first: number;
  last: number;
  /** The latest `at` of its rows, epoch ms, rounded down to a second and to the years 1970 to 9999. */
  newest: number;
  path: string;
  /** Size of the file. */
  bytes: number;
}

type Named = Pick<Segment, 'first' | 'last' | 'newest'>;

/** The last second that four digits of a year can name. */
const endOfNames = Date.UTC(9999, 11, 31, 23, 59, 59);

const pattern = /^(\d{16})-(\d{16})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.zst$/;
const partPattern = /^\d{16}\.part$/;

/** Sixteen digits: names sort as their rows do. */
const digits = (seq: number) => String(seq).padStart(16, '0');

export const partName = (first: number): string => `${digits(first)}.part`;

export const isPartName = (name: string): boolean => partPattern.test(name);

/** As much of a time as a name holds. */
export const namedTime = (at: number): number =>
  Math.floor(Math.min(Math.max(at, 0), endOfNames) / 1000) * 1000;

export function segmentName({ first, last, newest }: Named): string {
  const stamp = new Date(namedTime(newest)).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${digits(first)}-${digits(last)}-${stamp}.zst`;
}

/** @returns undefined for the name of anything else */
export function readSegmentName(path: string): Named | undefined {
  const name = basename(path);
  const [first = 0, last = 0, year = 0, month = 0, ...time] = (pattern.exec(name) ?? []).slice(1).map(Number);
  const [day, hour, minute, second] = time;
  const named = { first, last, newest: Date.UTC(year, month - 1, day, hour, minute, second) };
  // Also refuses a 31st of February, and rows in the wrong order.
  const isOne = first > 0 && last >= first && Number.isSafeInteger(last) && segmentName(named) === name;
  return isOne ? named : undefined;
}
