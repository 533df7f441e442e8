// Journal rows for one subscriber: what is stored, a mark, then what comes. A row is sent once it is on disk, so a
// reader that goes on after a crash of the bridge never holds a row that the journal does not have.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { EventsParams } from '../../domain/views/control.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import type { ControlCall } from './control-call.ts';
import type { JournalView } from './control-ports.ts';

/** Rows read at once: between pages others get their turn. */
const pageSize = 256;
/** Rows held for a subscriber that does not keep up. */
const heldRows = 1024;

/** While the disk is full nothing becomes durable: looked at again this often, ms. */
const fullDiskMs = 1000;

type Params = Omit<EventsParams, 'session'> & { key?: string };

/** @returns the seq of the last row that was looked at. */
export async function streamEvents(
  params: Params,
  journal: JournalView,
  call: ControlCall,
): Promise<{ seq: number }> {
  const wanted = filterOf(params);
  const start =
    params.last === undefined
      ? startOf(params, journal)
      : await placeOfLast(params.last, { ...params, wanted }, journal, call.signal);
  const mark = journal.last;
  await sendStored({ from: start, to: mark, wanted, key: params.key }, journal, call);
  call.notify('live', { seq: mark });
  if (params.follow === false || call.signal.aborted) return { seq: mark };
  return { seq: await follow(mark, wanted, params, journal, call) };
}

function startOf({ from, since }: Params, journal: JournalView): number {
  if (from !== undefined && since !== undefined) throw onePlace();
  if (since !== undefined) return seqBefore(since, journal);
  if (from === undefined) return journal.last;
  if (from > journal.last) {
    throw new OperatorError(
      'no_such_row',
      `The journal ends at row ${journal.last}; there is no row ${from}.`,
      'It is another journal, or was repaired: take a new snapshot and go on from there.',
    );
  }
  return from;
}

/** The seq before the first row at or after `since`, by halving: rows are stored in order of time. */
function seqBefore(since: number, journal: JournalView): number {
  let low = journal.origin;
  let high = journal.last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = journal.read(middle, 1);
    if (row && row.at < since) low = middle + 1;
    else high = middle;
  }
  // What was appended since may have begun in the archive: then the reader is told of a gap.
  return low === journal.origin ? 0 : low;
}

/** Looked for in stretches from the end on, each twice as long as the one before. */
async function placeOfLast(
  count: number,
  { from, since, key, wanted }: Params & Pick<Stretch, 'wanted'>,
  journal: JournalView,
  signal: AbortSignal,
): Promise<number> {
  if (from !== undefined || since !== undefined) throw onePlace();
  const { last } = journal;
  if (count === 0) return last;
  for (let length = Math.max(pageSize, count); !signal.aborted; length *= 2) {
    const start = Math.max(journal.origin, last - length);
    const found: number[] = [];
    for (let cursor = start; cursor < last && !signal.aborted; await nextTurn()) {
      const page = [...journal.read(cursor, pageSize, key)];
      for (const row of page) if (row.seq <= last && wanted(row)) found.push(row.seq);
      cursor = page.at(-1)?.seq ?? last;
    }
    const first = found.at(-count);
    if (first !== undefined) return first - 1;
    if (start === journal.origin) return start;
  }
  return last;
}

const onePlace = () =>
  new OperatorError(
    'bad_request',
    'Give one of `from`, `since` and `last`.',
    'Use `from` to go on, `since` or `last` to begin.',
  );

function filterOf({ key, types }: Params): (row: JournalRow) => boolean {
  const kinds = types?.filter((type) => type.endsWith('*')).map((type) => type.slice(0, -1)) ?? [];
  const exact = new Set(types);
  return ({ session, event }) =>
    (key === undefined || session === key) &&
    (types === undefined || exact.has(event.type) || kinds.some((kind) => event.type.startsWith(kind)));
}

interface Stretch {
  from: number;
  to: number;
  wanted(row: JournalRow): boolean;
  key: string | undefined;
}

async function sendStored(
  { from, to, wanted, key }: Stretch,
  journal: JournalView,
  call: ControlCall,
): Promise<void> {
  await stored(to, journal, call.signal);
  let cursor = from;
  while (cursor < to && !call.signal.aborted) {
    const { origin } = journal;
    if (cursor < origin) {
      // Rows may go into the archive while somebody reads them.
      call.notify('gap', { from: cursor + 1, to: Math.min(origin, to) });
      cursor = origin;
      continue;
    }
    const page = [...journal.read(cursor, pageSize, key)];
    for (const row of page) if (row.seq <= to && wanted(row)) call.notify('event', { row });
    cursor = page.at(-1)?.seq ?? to;
    if (call.clogged) await call.drained();
    await nextTurn();
  }
}

async function follow(
  after: number,
  wanted: (row: JournalRow) => boolean,
  { key, slow = 'reread' }: Params,
  journal: JournalView,
  call: ControlCall,
): Promise<number> {
  const { signal } = call;
  let cursor = after;
  const rows = journal.tail({
    after,
    signal,
    slow,
    filter: wanted,
    buffer: heldRows,
    ...(key !== undefined && { session: key }),
  });
  for await (const item of rows) {
    if (item.kind === 'gap') call.notify('gap', { from: item.from, to: item.to });
    else {
      await stored(item.row.seq, journal, signal);
      call.notify('event', { row: item.row });
    }
    cursor = item.kind === 'row' ? item.row.seq : item.to;
    if (call.clogged) await call.drained();
  }
  return cursor;
}

/** Resolves when `seq` is on disk, also after a time in which the disk was full, or when the signal aborts. */
async function stored(seq: number, journal: JournalView, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await journal.durable(seq);
    } catch {
      await delay(fullDiskMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
