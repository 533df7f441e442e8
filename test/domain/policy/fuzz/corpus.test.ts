// The corpus that rules are tried with: how much of it there is, and that each template can be filled.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpus } from '../../../../src/domain/policy/fuzz/corpus.ts';
import type { Family } from '../../../../src/domain/policy/fuzz/family.ts';
import { fillInput } from '../../../../src/domain/policy/fuzz/fill.ts';
import { commandValues } from '../../../../src/domain/policy/fuzz/values/command-values.ts';
import { hostValues } from '../../../../src/domain/policy/fuzz/values/host-values.ts';
import { pathValues } from '../../../../src/domain/policy/fuzz/values/path-values.ts';

const place = { cwd: '/home/u/ws', home: '/home/u', isFile: () => false };
const values = {
  command: commandValues('git push'),
  path: pathValues('~/.ssh', place),
  host: hostValues('127.0.0.1'),
};
const count = (fits: (family: Family) => boolean) =>
  corpus.filter(fits).reduce((sum, { variants }) => sum + variants.length, 0);

test('there are enough variants of commands, paths, hosts and fields, and no two are the same', () => {
  const isField = ({ written }: Family) => written === 'input';
  for (const [names, least] of [
    ['command', 600],
    ['path', 220],
    ['host', 240],
  ] as const)
    expect(count((family) => family.names === names && !isField(family))).toBeGreaterThanOrEqual(least);
  expect(count(isField)).toBeGreaterThanOrEqual(230);
  const all = corpus.flatMap(({ names, written, variants }) =>
    variants.map((variant) => JSON.stringify([names, written, variant])),
  );
  expect(all.filter((each, at) => all.indexOf(each) !== at)).toEqual([]);
});

test('the documentation says how many there are', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/reference/cli.md'), 'utf8');
  expect(page).toContain(`with ${count(() => true).toLocaleString('en')} ways around them`);
});

test('each family has a name of its own for its rules, and one sentence', () => {
  const names = corpus.map((family) => `${family.names} ${family.name}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { what } of corpus) expect(what).toMatch(/^[A-Z].{20,}\.$/);
});

describe('each variant is filled with what a rule names', () => {
  test.for(corpus.map((family) => [`${family.names}: ${family.name}`, family] as const))(
    '%s',
    ([, { names, variants }]) => {
      for (const variant of variants) {
        const filled = fillInput(variant, { ...values[names] });
        // What is left between angle brackets is the variant's own: `<F>` of Perl, a tag of HTML.
        expect(filled, JSON.stringify(variant)).toBeDefined();
        expect(JSON.stringify(filled).match(/<(?!F>|script)[a-zA-Z][a-zA-Z\d-]*>/g)).toBeNull();
      }
    },
  );
});

test('each address that says its scheme leads to the host, as URL parsers read it', () => {
  const urls = corpus.filter(({ written, needs }) => written === 'url' && needs === undefined);
  const spelled = urls.flatMap(({ variants }) =>
    variants.map((each) => fillInput(each, hostValues('evil.com') ?? {})),
  );
  const parsed = (spelled as string[]).flatMap((url) => {
    const found = URL.parse(url);
    return found && found.protocol !== 'view-source:' ? [[url, found.hostname.replace(/\.$/, '')]] : [];
  });
  expect(parsed.length).toBeGreaterThan(30);
  expect(parsed.filter(([, host]) => host !== 'evil.com')).toEqual([]);
});

test('each address in numbers is the one that the rule names, and none beside an allowed host leads to it over HTTP', () => {
  const of = (fits: (family: Family) => boolean, host: string) =>
    corpus
      .filter(fits)
      .flatMap(({ variants }) => variants.map((each) => fillInput(each, hostValues(host) ?? {})));
  const numbers = of(({ needs, written }) => needs === 'ip' && written === 'url', '10.1.2.3') as string[];
  const v6 = '[::ffff:a01:203]';
  for (const url of numbers)
    expect([url, ['10.1.2.3', '10.1.2.3.', v6]]).toEqual([
      url,
      expect.arrayContaining([URL.parse(url)?.hostname]),
    ]);
  const beside = of(({ name }) => name === 'beside an allowed host', 'good.com') as {
    input: { url?: unknown };
  }[];
  const alone = beside.filter(
    ({ input }) => Object.keys(input).length === 1 && typeof input.url === 'string',
  );
  const led = alone.map(({ input }) => URL.parse(String(input.url)));
  expect(led.filter((url) => url && /^https?:$/.test(url.protocol) && url.hostname === 'good.com')).toEqual(
    [],
  );
  expect(alone.length).toBeGreaterThan(20);
});
