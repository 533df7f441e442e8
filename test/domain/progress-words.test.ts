import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentsWords, runningWords, type Work, workWords } from '../../src/domain/words/progress-words.ts';
import { readDiscord, readMarkdown } from './question/dialects.ts';
import { hostileRuns, hostileText } from './question/hostile.ts';

const one = (tool: string, input: unknown, ms = 42_000): Work => ({
  count: 1,
  ms,
  longest: { tool, input, ms },
});

test.each([
  ['Bash', { command: 'npm test' }, 'ran Bash "npm test", 42 s'],
  ['Bash', { command: 'npm test', description: 'Run the tests' }, 'ran Bash "Run the tests", 42 s'],
  ['Read', { file_path: '/a/b.ts' }, 'ran Read "/a/b.ts", 42 s'],
  ['Task', { prompt: 'long words' }, 'ran Task, 42 s'],
  ['Bash', undefined, 'ran Bash, 42 s'],
  ['Bash', { command: 'a\n\n  b\t"c"' }, 'ran Bash "a b \'c\'", 42 s'],
  ['Bash', { command: 'x'.repeat(61) }, `ran Bash "${'x'.repeat(60)}…", 42 s`],
  ['Bash', { command: '😀'.repeat(61) }, `ran Bash "${'😀'.repeat(60)}…", 42 s`],
  ['Bash', { command: '\u202eabc' }, 'ran Bash "⟦U+202E⟧abc", 42 s'],
])('%s %j', (tool, input, words) => {
  expect(workWords(one(tool, input), 'plain')).toBe(`(${words})`);
});

test.each([
  [10_000, '10 s'],
  [99_400, '99 s'],
  [100_000, '2 min'],
  [3_570_000, '1 h'],
  [4_800_000, '1 h 20 min'],
])('%d ms are %s', (ms, words) => {
  expect(workWords(one('Bash', {}, ms), 'plain')).toBe(`(ran Bash, ${words})`);
});

test('several, and what runs meanwhile', () => {
  const longest = { tool: 'Bash', input: { command: 'make' }, ms: 42_000 };
  expect(workWords({ count: 12, ms: 180_000, longest }, 'markdown')).toBe(
    '_(ran 12 tools, 3 min; longest: Bash "make", 42 s)_',
  );
  expect(runningWords(longest, 0, 'markdown')).toBe('_(running Bash "make")_');
  expect(runningWords(longest, 1, 'plain')).toBe('(running Bash "make", after 1 other tool)');
});

test.each([
  ['30 of 100', ': 30 of 100'],
  ['30 %', ': 30 %'],
  ['3 so far', ': 3 so far'],
  ['reads the notes', ': "reads the notes"'],
  ['30 of 100)', ': "30 of 100)"'],
  ['30 of 100\n', ': "30 of 100"'],
  ['"), allowed', ': "\'), allowed"'],
  ['x'.repeat(61), `: "${'x'.repeat(60)}…"`],
  ['', ''],
])('far: %j', (says, words) => {
  const running = { tool: 'notes_index', input: { path: '/v' }, says };
  expect(runningWords(running, 2, 'plain')).toBe(`(running notes_index "/v"${words}, after 2 other tools)`);
  expect(workWords({ count: 1, ms: 42_000, longest: { ...running, ms: 42_000 } }, 'plain')).toBe(
    '(ran notes_index "/v", 42 s)',
  );
});

test('whatever a tool is given, its line is one line, and all of it is in the quotation marks', () => {
  fc.assert(
    fc.property(hostileText(), hostileText(), (tool, command) => {
      const work = one(`T${tool}`, { command });
      const quoted = /^\(ran [^"]*(?:"[^"\n]*")?, 42 s\)$/;
      const markdown = workWords(work, 'markdown');
      for (const html of [false, true]) {
        const read = readMarkdown(`before\n\n${markdown}\n\nafter`, html);
        expect(read.blocks).toEqual([]);
        expect(read.prose.replace(/^before/, '').replace(/after$/, '')).toMatch(quoted);
      }
      expect(readDiscord(workWords(work, 'discord')).prose).toMatch(quoted);
      expect(markdown.length).toBeLessThan(3_000);
    }),
    { numRuns: hostileRuns },
  );
});

test('whatever a provider says, it is in the quotation marks as well', () => {
  fc.assert(
    fc.property(hostileText(), hostileText(), (command, says) => {
      const running = { tool: 'notes_index', input: { command }, says };
      const quoted = /^\(running notes_index(?: "[^"\n]*")?(?:: "[^"\n]*")?\)$/;
      const markdown = runningWords(running, 0, 'markdown');
      for (const html of [false, true]) {
        const read = readMarkdown(`before\n\n${markdown}\n\nafter`, html);
        expect(read.blocks).toEqual([]);
        expect(read.prose.replace(/^before/, '').replace(/after$/, '')).toMatch(quoted);
      }
      expect(readDiscord(runningWords(running, 0, 'discord')).prose).toMatch(quoted);
      expect(markdown.length).toBeLessThan(3_000);
    }),
    { numRuns: hostileRuns },
  );
});

test('agents are named, three of them, each with what it uses', () => {
  const titled = (title: string, doing?: string) => ({ title, ...(doing !== undefined && { doing }) });
  expect(agentsWords([titled('tests', 'Bash')], 'plain')).toBe('(running 1 agent: "tests" (Bash))');
  expect(agentsWords([titled('tests', 'mcp__a__b'), titled('docs')], 'markdown')).toBe(
    '_(running 2 agents: "tests" (mcp\\_\\_a\\_\\_b), "docs")_',
  );
  const five = ['a', 'b', 'c', 'd', 'e'].map((title) => titled(title));
  expect(agentsWords(five, 'plain')).toBe('(running 5 agents: "a", "b", "c", 2 more)');
  expect(agentsWords([{}], 'plain')).toBe('(running 1 agent: "unnamed")');
  expect(agentsWords([titled('x'.repeat(41))], 'plain')).toBe(`(running 1 agent: "${'x'.repeat(40)}…")`);
});

test('whatever an agent is called, its name is in the quotation marks', () => {
  fc.assert(
    fc.property(hostileText(), hostileText(4), (title, doing) => {
      const agents = [{ title, doing: `T${doing}` }, { title }];
      const quoted = /^\(running 2 agents: "[^"\n]*" \(T[^"\n]*\), "[^"\n]*"\)$/;
      const markdown = agentsWords(agents, 'markdown');
      for (const html of [false, true]) {
        const read = readMarkdown(`before\n\n${markdown}\n\nafter`, html);
        expect(read.blocks).toEqual([]);
        expect(read.prose.replace(/^before/, '').replace(/after$/, '')).toMatch(quoted);
      }
      expect(readDiscord(agentsWords(agents, 'discord')).prose).toMatch(quoted);
      expect(markdown.length).toBeLessThan(5_000);
    }),
    { numRuns: hostileRuns },
  );
});
