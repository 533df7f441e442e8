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

/** How many entries each owner has written, since something was read last. */
const written = new Map<number, number>();
/** One entry of a text, in so many parts. */
const entry = (epoch: number, value: unknown, parts = 1): StoredCopy[] => {
  const n = (written.get(epoch) ?? 0) + 1;
  written.set(epoch, n);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const size = Math.ceil(text.length / parts);
  return Array.from({ length: parts }, (_, at) =>
    copy(
      { 'Synthesis-Epoch': epoch, 'Synthesis-Entry': n, 'Synthesis-Part': `${at + 1}/${parts}` },
      text.slice(at * size, (at + 1) * size),
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
const read = (...copies: StoredCopy[][]) => {
  written.clear();
  return readCopy('k', stream(copies.flat())).then((kept) => kept?.session);
};
const taken = { kind: 'taken', version: 1, node: 'box' };
const labelOf = async (...copies: StoredCopy[][]) => (await read(...copies))?.label;

describe('a conversation', () => {
  test('is what its owner had, and what happened since', async () => {
    expect(await read(entry(1, owned()))).toStrictEqual(running);
    expect(await read(entry(1, owned(), 3), entry(1, label('a'), 2), entry(1, label('b')))).toStrictEqual({
      ...running,
      label: 'b',
    });
    // All of it once more.
    expect(await labelOf(entry(1, owned()), entry(1, label('a')), entry(1, owned()))).toBe(undefined);
    // Of what was there before it not all is deleted.
    expect(await labelOf(entry(1, label('a')), entry(1, owned()), entry(1, label('b')))).toBe('b');
  });

  test('is without what an owner did not finish', async () => {
    const cut = (parts: number) => entry(1, label('cut'), 3).slice(0, parts);
    expect(await labelOf(entry(1, owned()), cut(2))).toBe(undefined);
    expect(await labelOf(entry(1, owned()), cut(2), entry(2, owned()), entry(2, label('b'), 2))).toBe('b');
    expect(await labelOf(entry(1, owned()), cut(1), entry(2, taken))).toBe(undefined);
    // The rest of it comes late.
    const late = () => entry(1, label('late'), 3) as [StoredCopy, StoredCopy, StoredCopy];
    const base = () => entry(1, owned());
    const [first, [one, two, three]] = [base(), late()];
    expect(await labelOf(first, [one, two], entry(2, owned()), entry(2, label('c')), [three])).toBe('c');
    const [again, [a, , c]] = [base(), late()];
    expect(await labelOf(again, [a, c])).toBe(undefined);
    // What is left of an entry of which the beginning was deleted.
    const [, second, third] = late();
    expect(await labelOf([second, third], base())).toBe(undefined);
  });

  test('is not whole where the servers have lost something of it', async () => {
    const lost = (...copies: StoredCopy[][]) => expect(read(...copies)).rejects.toThrow('not whole');
    await lost();
    await lost(entry(1, taken));
    await lost(entry(1, label('a')));
    const [first, , third] = [entry(1, owned()), entry(1, label('a')), entry(1, label('b'))];
    await lost(first, third);
    const [whole, [begins]] = [entry(1, owned()), entry(1, label('a'), 2) as [StoredCopy, StoredCopy]];
    await lost(whole, [begins], entry(1, label('b')));
    await lost(entry(1, owned()), entry(2, taken), entry(2, label('a')));
  });

  test('is without what an earlier owner wrote after a later one', async () => {
    const later = () => [...entry(1, owned()), ...entry(3, owned()), ...entry(3, label('a'))];
    expect(await labelOf(later(), entry(2, label('b')))).toBe('a');
    expect(await labelOf(later(), entry(2, taken), entry(3, label('c')))).toBe('c');
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
    // What is erased goes piece by piece, the end last.
    expect(await read(entry(1, label('a')), entry(1, happened({ type: 'session.removed' })))).toBe(undefined);
    expect(await read(entry(2, taken), entry(2, happened({ type: 'session.removed' })))).toBe(undefined);
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

  test('begins anew where the file did, once it is whole', async () => {
    const anew = (epoch: number, offset: number, data: string, size: number) =>
      copy(
        {
          'Synthesis-Epoch': epoch,
          'Synthesis-Claude': 'c',
          'Synthesis-Offset': offset,
          'Synthesis-Size': size,
        },
        data,
      );
    const before = piece(1, 0, 'before\n');
    expect(await transcript(before, anew(1, 0, '', 4), anew(1, 0, 'a\n', 4))).toBe('before\n');
    expect(await transcript(before, anew(1, 0, '', 2), anew(1, 0, 'a\n', 2), piece(1, 2, 'b\n'))).toBe(
      'a\nb\n',
    );
    expect(await transcript(before, anew(1, 0, 'a\n', 4), piece(2, 7, 'c\n'))).toBe('before\nc\n');
    expect(await transcript(before, anew(1, 0, '', 0))).toBe('');
  });

  test('is not whole where the servers have lost a piece', async () => {
    await expect(transcript(piece(1, 0, 'a\n'), piece(1, 7, 'z\n'))).rejects.toThrow('not whole');
    await expect(transcript(piece(1, 7, 'z\n'))).rejects.toThrow('not whole');
    const foreign = copy({ 'Synthesis-Epoch': 1, 'Synthesis-Claude': 'c' }, 'x');
    expect(await transcript(foreign, piece(1, 0, 'a'))).toBe('a');
  });
});
