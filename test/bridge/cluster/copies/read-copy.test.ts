// What is made of a conversation's messages in the stream of copies, whoever wrote them and wherever they broke off.
import { describe, expect, test } from 'vitest';
import type { StoredCopy } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import { CopyUnreadableError, readCopy } from '../../../../src/bridge/cluster/copies/read-copy.ts';
import { readTranscript } from '../../../../src/bridge/cluster/copies/transcript-copy.ts';
import { snapshotOf } from '../../../../src/domain/state/snapshot.ts';
import { evolved } from '../../../domain/evolved.ts';

const copy = (headers: Record<string, string | number>, data: Uint8Array | string): StoredCopy => ({
  seq: 0,
  id: '',
  header: (name) => String(headers[name] ?? ''),
  data: Buffer.from(data),
});
async function* stream(copies: StoredCopy[]): AsyncGenerator<StoredCopy, void, void> {
  yield* copies;
}

/** One entry of a text, in so many parts. */
const entry = (epoch: number, value: unknown, parts = 1): StoredCopy[] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const size = Math.ceil(text.length / parts);
  return Array.from({ length: parts }, (_, n) =>
    copy(
      { 'Synthesis-Epoch': epoch, 'Synthesis-Part': `${n + 1}/${parts}` },
      text.slice(n * size, (n + 1) * size),
    ),
  );
};
const running = evolved({});
const owned = (state: object = snapshotOf(running)) => ({
  kind: 'owned',
  version: 1,
  session: 'k',
  node: 'mac',
  state,
});
const happened = (...events: object[]) => ({
  kind: 'happened',
  events: events.map((event) => ({ at: 1, event })),
});
const label = (text: string) => happened({ type: 'session.labelled', label: text });
const read = (...copies: StoredCopy[][]) => readCopy('k', stream(copies.flat()));
const labelOf = async (...copies: StoredCopy[][]) => (await read(...copies))?.label;

describe('a conversation', () => {
  test('is what its owner had, and what happened since', async () => {
    expect(await read()).toBe(undefined);
    expect(await read(entry(1, owned()))).toStrictEqual(running);
    expect(await read(entry(1, owned(), 3), entry(1, label('a'), 2), entry(1, label('b')))).toStrictEqual({
      ...running,
      label: 'b',
    });
    // All of it once more.
    expect(await labelOf(entry(1, label('a')), entry(1, owned()))).toBe(undefined);
  });

  test('is without what an owner did not finish', async () => {
    const [first = []] = [entry(1, label('cut'), 3).slice(0, 2)];
    expect(await labelOf(entry(1, owned()), first)).toBe(undefined);
    expect(await labelOf(entry(1, owned()), first, entry(1, label('a')))).toBe('a');
    expect(await labelOf(entry(1, owned()), first, entry(2, label('b'), 2))).toBe('b');
    // The rest of it comes late.
    const [one, two, three] = entry(1, label('late'), 3) as [StoredCopy, StoredCopy, StoredCopy];
    expect(await labelOf(entry(1, owned()), [one, two], entry(2, label('c')), [three])).toBe('c');
    expect(await labelOf(entry(1, owned()), [one], entry(2, label('c'), 2).slice(0, 1), [two, three])).toBe(
      undefined,
    );
    expect(await labelOf(entry(1, owned()), [one, three])).toBe(undefined);
    // What is left of an entry of which the beginning was purged.
    expect(await labelOf([two, three], entry(1, owned()))).toBe(undefined);
    expect(
      await labelOf(entry(1, owned()), entry(1, label('d'), 2).slice(0, 1), entry(2, label('e'), 3).slice(1)),
    ).toBe(undefined);
  });

  test('is without what an earlier owner wrote after a later one', async () => {
    expect(await labelOf(entry(1, owned()), entry(3, label('a')), entry(2, label('b')))).toBe('a');
    const nobody = [copy({ 'Synthesis-Part': '1/1' }, JSON.stringify(label('c')))];
    expect(await labelOf(entry(1, owned()), [copy({ ...{}, 'Synthesis-Epoch': 'x' }, 'y')], nobody)).toBe(
      undefined,
    );
  });

  test('that was removed is none', async () => {
    expect(await read(entry(1, owned()), entry(1, happened({ type: 'session.removed', forget: true })))).toBe(
      undefined,
    );
    expect(await read(entry(1, owned({ ...snapshotOf(running), removed: true })))).toBe(undefined);
  });

  test.each([
    ['no JSON', '{'],
    ['another kind', { kind: 'newer' }],
    ['another version', { ...owned(), version: 2 }],
    ['an event that is not known', happened({ type: 'session.newer' })],
    ['a state that is none', owned({ turns: 'x' })],
  ])('of a later release is not guessed at: %s', async (_, value) => {
    const unreadable = read(entry(1, owned()), entry(1, value));
    await expect(unreadable).rejects.toThrow(CopyUnreadableError);
    await expect(unreadable).rejects.toThrow('"k"');
  });
});

const piece = (epoch: number, offset: number, data: string, claude = 'c') =>
  copy({ 'Synthesis-Epoch': epoch, 'Synthesis-Claude': claude, 'Synthesis-Offset': offset }, data);

/** As a file has it. */
async function transcript(...pieces: StoredCopy[]): Promise<string> {
  let text = '';
  for await (const { offset, data } of readTranscript(stream(pieces), 'c'))
    text = text.slice(0, offset) + Buffer.from(data).toString();
  return text;
}

describe('a transcript', () => {
  test('is its pieces, of one of the sessions of Claude Code', async () => {
    expect(await transcript(piece(1, 0, 'a\n'), piece(1, 2, 'b\n'))).toBe('a\nb\n');
    expect(await transcript(piece(1, 0, 'x\n', 'd'), piece(1, 0, ''), piece(1, 0, 'a\n'))).toBe('a\n');
    expect(await transcript(piece(1, 0, 'a\n'), piece(1, 0, 'x\n', 'd'))).toBe('a\n');
    expect(await transcript()).toBe('');
  });

  test('is what a later owner says of it where an earlier one wrote late', async () => {
    const late = piece(1, 2, 'late\n');
    expect(await transcript(piece(1, 0, 'a\n'), piece(2, 2, ''), late, piece(2, 2, 'b\n'))).toBe('a\nb\n');
    expect(await transcript(piece(1, 0, 'a\n'), piece(2, 2, 'b\n'), late)).toBe('a\nb\n');
    // Late, but in time to be seen: the later owner goes on where its file ends.
    expect(await transcript(piece(1, 0, 'a\n'), late, piece(2, 2, 'b\n'))).toBe('a\nb\n');
  });

  test('begins anew where the file did, and has no holes', async () => {
    expect(await transcript(piece(1, 0, 'a\n'), piece(1, 0, ''), piece(1, 0, 'n\n'))).toBe('n\n');
    expect(await transcript(piece(1, 0, 'a\n'), piece(1, 7, 'z\n'))).toBe('a\n');
    expect(
      await transcript(copy({ 'Synthesis-Epoch': 1, 'Synthesis-Claude': 'c' }, 'x'), piece(1, 0, 'a')),
    ).toBe('a');
  });
});
