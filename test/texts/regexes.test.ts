// Every regular expression of the program meets every hostile shape, wherever it is used: no new one is forgotten.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';
import { type Shape, shapes } from './shapes.ts';
import { within } from './within.ts';

const root = resolve(import.meta.dirname, '../../src');
/** At this length what is quadratic takes from three seconds to half a minute; what is not, milliseconds. */
const length = 60_000;
const limitMs = 10_000;
/** What takes so long is held against itself, at four times the length: what is quadratic runs into its limit there. */
const suspiciousMs = 1_000;

interface Found {
  place: string;
  pattern: string;
  flags: string;
}

function regexesOf(file: string): Found[] {
  const source = readFileSync(join(root, file), 'utf8');
  const found: Found[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const line = source.slice(0, node.start).split('\n').length;
      found.push({ place: `${file}:${line}`, ...node.regex });
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** Shapes of the words that the expression itself looks for: its beginning again and again, or with a run behind it. */
function ownShapes(pattern: string): Shape[] {
  const words = pattern.replace(/\\[a-zA-Z]/g, ' ').match(/[\w<[❯⎿:/#-][\w <:/#.-]{0,60}/g) ?? [];
  return [...new Set(words)].slice(0, 8).flatMap((word): Shape[] => {
    const again = [word, `${word} `, `${word}\n`].map(
      (unit): Shape =>
        (count) =>
          unit.repeat(Math.ceil(count / unit.length)),
    );
    const run = [' ', '\n', 'a', '0'].map(
      (unit): Shape =>
        (count) =>
          `${word}${unit.repeat(count)}\u0000`,
    );
    return [...again, ...run];
  });
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const found = files.flatMap(regexesOf);

describe('no regular expression of the program takes more than linear time', () => {
  test('there are expressions', () => expect(found.length).toBeGreaterThan(150));

  test.each(found)('$place', ({ pattern, flags }) => {
    const expression = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`);
    const all = [...Object.values(shapes), ...ownShapes(pattern)];
    const meet = (atLength: number) =>
      within(limitMs, () => {
        for (const shape of all) shape(atLength).replace(expression, '');
      });
    const before = performance.now();
    meet(length);
    if (performance.now() - before > suspiciousMs) meet(4 * length);
  });
});
