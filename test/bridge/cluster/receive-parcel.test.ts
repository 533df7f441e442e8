import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { receiveParcel } from '../../../src/bridge/cluster/move/receive-parcel.ts';

const lists = { turns: [], responses: [], asks: [], calls: [], replies: [], tools: [] };
const claude = '4b9d1c52-7a0e-4f43-9a43-0d6a4a3a3a11';
const head = { kind: 'conversation', version: 1, session: 'k', from: 'mac', claude, state: lists };
const piece = { kind: 'transcript', data: Buffer.from('a line\n').toString('base64') };
const end = { kind: 'end' };

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'parcel-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'projects', '-w', 'it.jsonl');
}

/** @returns what is answered, and which conversations were taken */
async function sent(lines: readonly (object | string)[], path = place(), refusal?: string) {
  const [near, far] = duplexPair();
  const arrived: string[] = [];
  const kept: unknown[] = [];
  const files = { write: async (...given: unknown[]) => void kept.push(given) };
  void receiveParcel(far, {
    transcriptFor: () => path,
    files,
    expect: () => {
      if (refusal) throw new Error(refusal);
    },
    arrive: async ({ session }) => void arrived.push(session),
    look: async () => {},
  });
  near.end(lines.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join(''));
  return { answer: JSON.parse(await text(near)), arrived, path, kept };
}

test('a whole parcel is kept, over what an earlier one has left', async () => {
  const first = await sent([head, piece, end]);
  writeFileSync(`${first.path}.arriving`, 'half of one');
  const { answer, arrived, path } = await sent([head, piece, piece, end], first.path);
  expect([answer, arrived]).toEqual([{ ok: true }, ['k']]);
  expect(readFileSync(path, 'utf8')).toBe('a line\na line\n');
  expect(existsSync(`${path}.arriving`)).toBe(false);
});

test.each([
  ['is half there', ['a li', 'ne\nhalf a line'], 'a line\n'],
  ['is longer than a piece', ['one\n', 'x'.repeat(200_000), 'y'.repeat(200_000)], 'one\n'],
  ['is the only one, and half there', ['half'], ''],
])('of a transcript whose last line %s the whole lines are kept', async (_, pieces, kept) => {
  const lines = pieces.map((each) => ({ ...piece, data: Buffer.from(each).toString('base64') }));
  const { answer, path } = await sent([head, ...lines, end]);
  expect([answer, readFileSync(path, 'utf8')]).toEqual([{ ok: true }, kept]);
});

test('files that come with it are kept, and that is said: of an earlier release none come', async () => {
  const files = [{ path: 'memory/MEMORY.md', data: 'eA==' }];
  const with_ = await sent([{ ...head, files }, piece, end]);
  expect([with_.answer, with_.kept]).toEqual([{ ok: true, files: true }, [['k', files]]]);
  const none = await sent([{ ...head, files: [] }, end]);
  expect([none.answer, none.kept]).toEqual([{ ok: true, files: true }, [['k', []]]]);
  const earlier = await sent([head, piece, end]);
  expect([earlier.answer, earlier.kept]).toEqual([{ ok: true }, []]);
});

test.each<[string, (object | string)[], RegExp]>([
  ['ends before it is complete', [head, piece], /ended before/],
  ['is empty', [], /ended before/],
  ['holds two conversations', [head, head, end], /one conversation/],
  ['begins with a file', [piece, head, end], /begins with what it is/],
  ['is no JSON', [head, '{'], /JSON/],
  ['is of a later form', [{ ...head, version: 2 }], /version/],
  ['has no state', [{ ...head, state: {} }], /turns/],
  [
    'has a file that belongs elsewhere',
    [{ ...head, files: [{ path: 'memory/../../x', data: '' }] }, end],
    /path/,
  ],
  ['has a file that is damaged', [{ ...head, files: [{ path: 'memory/x', data: '&' }] }, end], /data/],
  ['names a Claude session as a path', [{ ...head, claude: '../../x' }], /claude/],
  ['has a transcript of no Claude session', [{ ...head, claude: null }, piece, end], /no transcript/],
])('a parcel that %s is refused in words, and nothing of it is kept', async (_, lines, words) => {
  const { answer, arrived, path, kept } = await sent(lines);
  expect([answer, arrived, kept]).toEqual([{ ok: false, words: expect.stringMatching(words) }, [], []]);
  expect([existsSync(path), existsSync(`${path}.arriving`)]).toEqual([false, false]);
});

test('one that is not to come is refused before its files are read', async () => {
  const { answer, arrived } = await sent([head, piece, end], place(), 'there is no folder /w');
  expect([answer, arrived]).toEqual([{ ok: false, words: 'there is no folder /w' }, []]);
});
