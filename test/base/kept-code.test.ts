import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asPart, KeptProgram } from '../../src/base/process/kept-code.ts';

function place() {
  const dir = mkdtempSync(join(tmpdir(), 'kept-code-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const main = join(dir, 'main.cjs');
  const kept = join(dir, 'main.cjs.kept');
  const write = (word: string) =>
    writeFileSync(
      main,
      asPart(`const { basename } = require('node:path'); const { loud } = require('./loud.cjs');
exports.said = () => loud('${word}'); exports.name = basename(__filename); exports.again = () => require('./loud.cjs').loud === loud;
exports.later = () => importModule('node:os');`),
    );
  write('one');
  writeFileSync(join(dir, 'loud.cjs'), asPart('exports.loud = (word) => word.toUpperCase();'));
  const start = (cache: string | undefined = dir) => {
    const program = new KeptProgram(cache);
    return { program, main: program.load(main) as Record<string, () => unknown> };
  };
  return { dir, kept, write, start };
}

test('files require one another once, and packages as ever', async () => {
  const { main } = place().start();
  expect([main.said?.(), main.name, main.again?.()]).toEqual(['ONE', 'main.cjs', true]);
  expect(await main.later?.()).toHaveProperty('homedir');
});

test('a file that cannot be loaded is told of each time, and not kept', () => {
  const { dir, start } = place();
  const main = join(dir, 'half.cjs');
  writeFileSync(main, asPart("exports.half = true; require('./gone.cjs');"));
  const { program } = start();
  for (const _time of [1, 2]) expect(() => program.load(main)).toThrow('gone.cjs');
  program.keep();
  expect(readdirSync(dir)).not.toContain('half.cjs.kept');
});

test('what was kept is used, and not written anew', () => {
  const { kept, start } = place();
  const first = start();
  first.main.said?.();
  first.program.keep();
  const { ino } = statSync(kept);
  const second = start();
  expect(second.main.said?.()).toBe('ONE');
  second.program.keep();
  expect(statSync(kept).ino).toBe(ino);
});

test('functions that have run are kept with the rest', () => {
  const [idle, used] = [place(), place()].map(({ kept, start }, index) => {
    const { program, main } = start();
    if (index === 1) main.said?.();
    program.keep();
    return statSync(kept).size;
  });
  expect(used).toBeGreaterThan(idle ?? 0);
});

test('who needs other functions of a file keeps them apart', () => {
  const { dir, start } = place();
  for (const ending of ['quiet.kept', 'loud.kept']) {
    const program = new KeptProgram(dir, ending);
    const main = program.load(join(dir, 'main.cjs')) as Record<string, () => unknown>;
    if (ending === 'loud.kept') main.said?.();
    program.keep();
  }
  const [quiet, loud] = ['quiet', 'loud'].map((name) => statSync(join(dir, `main.cjs.${name}.kept`)).size);
  expect(loud).toBeGreaterThan(quiet ?? 0);
  expect(start().main.said?.()).toBe('ONE');
});

test('code of another file of the same length is not run', () => {
  const { kept, write, start } = place();
  start().program.keep();
  const before = readFileSync(kept);
  write('two');
  const { program, main } = start();
  expect(main.said?.()).toBe('TWO');
  program.keep();
  expect(readFileSync(kept).equals(before)).toBe(false);
});

test.each([
  ['a flipped bit', (bytes: Buffer) => bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1)],
  ['a lost end', (bytes: Buffer) => bytes.subarray(0, 100)],
  ['nothing', () => Buffer.alloc(0)],
])('%s in what was kept is noticed, and mended', (_what, damage) => {
  const { kept, start } = place();
  start().program.keep();
  const { ino } = statSync(kept);
  writeFileSync(kept, damage(readFileSync(kept)));
  const { program, main } = start();
  expect(main.said?.()).toBe('ONE');
  program.keep();
  expect(statSync(kept).ino).not.toBe(ino);
});

test('without a folder nothing is kept, and one that is not there any more stops nobody', () => {
  const { dir, start } = place();
  for (const cache of [undefined, join(dir, 'gone')]) {
    const program = new KeptProgram(cache);
    program.load(join(dir, 'main.cjs'));
    program.keep();
  }
  expect(start().main.said?.()).toBe('ONE');
  expect(readdirSync(dir).sort()).toEqual(['loud.cjs', 'main.cjs']);
});

test('of what cannot be kept no part is left', () => {
  const { dir, kept, start } = place();
  mkdirSync(kept);
  start().program.keep();
  expect(readdirSync(dir).filter((name) => name.startsWith('main.cjs.'))).toEqual(['main.cjs.kept']);
});
