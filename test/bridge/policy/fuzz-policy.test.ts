// Whose call a rule is tried with, and what other rules have to do with it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { familyWords, fuzzPolicy } from '../../../src/bridge/policy/fuzz-policy.ts';
import { isFile } from '../../../src/bridge/policy/is-file.ts';
import { Config } from '../../../src/protocol/settings/config.ts';

const minute = 60_000;
const fuzz = (policy: object[], options: { session?: string; sandboxed?: boolean } = {}, more: object = {}) =>
  fuzzPolicy(
    { ...Config.parse({ policy, ...more }), cwd: '/home/u/ws' },
    { withinMs: minute, ...options },
    '/home/u',
  );
/** What became of the plain calls of `rm`. */
const plain = (...given: Parameters<typeof fuzz>) => {
  const [first] = fuzz(...given);
  const calls = first?.unasked.filter(({ input }) => JSON.stringify(input) === '{"command":"rm x"}') ?? [];
  return calls.map(({ tool, by }) => `${tool} by ${by}`);
};
const rm = { command: 'rm', decision: 'deny' };
const allow = { decision: 'allow' };

test('a rule is tried as whoever it is for: its session, door, sender, and whether anybody is there', () => {
  for (const who of [
    { session: 'agent:*:telegram:*' },
    { door: 'operator' },
    { sender: 'telegram:1' },
    { sender: '1' },
    { unattended: true },
  ])
    expect([who, plain([{ ...rm, ...who }, allow])]).toEqual([who, []]);
  const others = fuzz([{ ...rm, session: 'a:*' }], { session: 'b:c' });
  expect(others).toMatchObject([{ tried: 0, why: 'it is not for the session b:c', isLate: false }]);
});

test('what an earlier rule lets through runs unasked, and is told with its number', () => {
  const [, second] = fuzz([{ tool: 'exec', ...allow }, rm]);
  expect(second?.unasked.find(({ input }) => JSON.stringify(input) === '{"command":"rm x"}')).toEqual({
    family: 'another path',
    tool: 'exec',
    input: { command: 'rm x' },
    by: 1,
  });
  expect(second?.unasked.filter(({ tool }) => tool === 'Bash')).toEqual([]);
});

test('in the sandbox, or not, as the rule says, else as commands run here', () => {
  const inside = { tool: 'Bash', sandboxed: true, decision: 'allow' };
  expect(plain([{ ...rm, sandboxed: false }, inside], { sandboxed: true })).toEqual([]);
  const [, last] = fuzz([inside, rm], { sandboxed: true });
  const [, outside] = fuzz([inside, rm], { sandboxed: false });
  expect(last?.unasked.filter(({ tool }) => tool === 'Bash').length).toBeGreaterThan(500);
  expect(outside?.unasked.filter(({ tool }) => tool === 'Bash')).toEqual([]);
});

test('the mode of the session decides what is left', () => {
  const other = { command: 'rm', tool: 'Bash', decision: 'deny', sandboxed: true };
  const left = (mode: string) =>
    fuzz(
      [other],
      { session: 's', sandboxed: false },
      { profiles: [{ match: 's', permissionMode: mode }] },
    )[0];
  expect(left('manual')).toMatchObject({ mode: 'manual', held: left('bypassPermissions')?.held });
  const free = left('bypassPermissions');
  expect(free?.left).toBe(0);
  expect(free?.unasked.length).toBe(left('manual')?.left);
});

test('a rule that allows is judged without the others that allow', () => {
  const status = { tool: 'exec', command: 'git status', decision: 'allow' };
  const alone = fuzz([status])[0];
  const [, before, , behind] = fuzz([rm, status, rm, { ...status, command: 'git log' }, allow]);
  expect(before).toMatchObject({ number: 2, tried: alone?.tried, others: 0 });
  expect(before?.unasked.map(({ input }) => input)).toEqual(alone?.unasked.map(({ input }) => input));
  expect(behind?.unasked.every(({ by }) => by === 4)).toBe(true);
});

test('what there is no time for is said, and not guessed', () => {
  const config = { ...Config.parse({ policy: [rm, allow] }), cwd: '/home/u/ws' };
  expect(fuzzPolicy(config, { withinMs: -1 }, '/home/u')).toMatchObject([
    { number: 1, tried: 0, unasked: [], why: 'there was no time for it', isLate: true },
    { number: 2, tried: 0, why: 'it names no command, path or host', isLate: false },
  ]);
});

test('each family has a sentence, and an unknown one none', () => {
  expect(familyWords('quotes')).toMatch(/^Quotes, backslashes/);
  expect(familyWords('x')).toBe('');
});

test('a file is one on the disk, or is called like one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'is-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'a.d'));
  writeFileSync(join(folder, 'key'), '');
  const named = ['key', 'none.txt', '.env', '.env.local'].map((name) => isFile(join(folder, name)));
  expect(named).toEqual([true, true, true, true]);
  const folders = ['a.d', 'none', '.ssh', ''].map((name) => isFile(join(folder, name)));
  expect(folders).toEqual([false, false, false, false]);
});
