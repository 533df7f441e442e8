import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partEnd, Text } from '../../src/domain/state/text.ts';

/** Long enough for several blocks, in pieces of every length. */
const pieces = fc.array(
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 4_000 }))
    .map(([text, times]) => text.repeat(times)),
  { maxLength: 8 },
);
const grown = (all: readonly string[]) => all.reduce((text, piece) => text.append(piece), Text.empty);

test('it reads like the string that it stands for, wherever it is cut', () => {
  fc.assert(
    fc.property(pieces, fc.nat(), fc.nat(), (all, a, b) => {
      const [text, whole] = [grown(all), all.join('')];
      const places = [a, b].map((place) => place % (whole.length + 2));
      const [from = 0, to = 0] = places;
      expect(text.length).toBe(whole.length);
      expect(String(text) === whole).toBe(true);
      expect(text.slice(from, to) === whole.slice(from, to)).toBe(true);
      expect(text.slice(from) === whole.slice(from)).toBe(true);
      expect(text.slice(-from - 1) === whole.slice(-from - 1)).toBe(true);
      expect(text.charCodeAt(from)).toBe(whole.charCodeAt(from));
      expect(text.begins(`${whole.slice(from)}and more`, from)).toBe(true);
      expect(text.begins(`${whole.slice(from)}`, to)).toBe(whole.slice(from).startsWith(whole.slice(to)));
    }),
  );
});

test('equal texts are equal however they grew, and what was read before stays as it was', () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const before = grown(all.slice(0, -1));
      const kept = String(before);
      expect(grown(all)).toEqual(Text.of(all.join('')));
      before.append('another way');
      expect(String(before) === kept).toBe(true);
    }),
  );
});

test('a text that has grown shares what was full with the one before: only the newest block is another', () => {
  const line = `${'x'.repeat(199)}\n`;
  let text = Text.of(line.repeat(10_000));
  let fresh = 0;
  for (let n = 0; n < 1_000; n += 1) {
    const next = text.append(line);
    if (next.blocks !== text.blocks) fresh += 1;
    text = next;
  }
  expect(fresh).toBeLessThan(1_000 / 15);
});

test('a long text is cut between characters', () => {
  const text = `a${'🙂'.repeat(20)}`;
  expect(partEnd(text, 0, 4)).toBe(3);
  expect(partEnd(text, 1, 4)).toBe(5);
  expect(partEnd(text, 0, 100)).toBe(41);
});

test('a text that came letter by letter takes little more room than its letters', () => {
  const program = `import { Text } from ${JSON.stringify(new URL('../../src/domain/state/text.ts', import.meta.url))};
    const texts = [];
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 100; n += 1) {
      let text = Text.empty;
      for (let at = 0; at < 4000; at += 1) text = text.append('ab'[at % 2]);
      texts.push(text);
    }
    gc();
    console.log((process.memoryUsage().heapUsed - before) / texts.length);`;
  const args = ['--expose-gc', '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(4_000);
  expect(Number(stdout)).toBeLessThan(10_000);
});
