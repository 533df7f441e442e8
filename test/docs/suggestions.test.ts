// Whoever is in trouble is told a command: it has to be one. The troubles of folder, trust, mode and setting are played
// through in test/e2e/commands/setup.test.ts.
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from '../../src/cli/program.ts';
import { problemText, remedyText } from '../../src/domain/words/problem-text.ts';
import { FailureCode } from '../../src/protocol/events/failures.ts';
import { sourceFiles } from './pages.ts';

const root = program();

/** Command lines in backticks, of a text or of its source. A template that begins like one is none. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(\\?)`(synthesis [^`]*?)\\?`/g)].flatMap(([, escaped, line = '']) =>
    escaped === '' && line.includes('${') ? [] : [line.replaceAll(/\s+/g, ' ').trim()],
  );

/** What is wrong with a command line; undefined for one that can be run. Values, and what a program fills in, are free. */
function wrong(line: string): string | undefined {
  // A part that the program fills in stands for any word.
  const words = line
    .replace(/ ?\$\{[^}]*\}/g, ' X')
    .split(' ')
    .slice(1);
  let command: Command = root;
  for (const word of words) {
    if (word === '…' || word.startsWith('<') || word === 'X' || word === '--') break;
    if (word.startsWith('-')) {
      const flags = [command, root].flatMap(({ options }) =>
        options.flatMap(({ long, short }) => [long, short]),
      );
      if (word !== '--help' && !flags.includes(word)) return `${line}: ${command.name()} has no ${word}`;
      continue;
    }
    const next = command.commands.find((each) => each.name() === word);
    if (next) command = next;
    else if (command.commands.length > 0) return `${line}: there is no ${word}`;
  }
  return command === root && words.length > 0 && !/^[<X…-]/.test(words[0] ?? '')
    ? `${line}: no command`
    : undefined;
}

test('every command in backticks anywhere in the program is one, with the flags that it is given', () => {
  const found = sourceFiles().flatMap(({ path, text }) =>
    commandsIn(text).map((line) => ({ path, line, fault: wrong(line) })),
  );
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ fault }) => fault).map(({ path, fault }) => `${path}: ${fault}`)).toEqual([]);
});

test('the judge of command lines knows a wrong one', () => {
  const lines = ['nonsense', 'config sets cwd', 'up --nonsense', 'ps --cwd', 'tools nonsense'];
  expect(lines.map((line) => wrong(`synthesis ${line}`))).not.toContain(undefined);
  expect(
    ['up -d --replace', 'config set cwd <folder>', 'restart X'].map((line) => wrong(`synthesis ${line}`)),
  ).toEqual(Array(3).fill(undefined));
});

test.each(FailureCode.options)('%s: a chat, and the operator, are told the same thing to do', (code) => {
  const about = { session: 'chat', folder: '/w', elsewhere: '/other' };
  for (const details of [{}, { session: 'chat' }, about]) {
    const remedy = remedyText(code, details);
    expect(problemText(code, details)).toContain(remedy);
    expect(remedy).toMatch(/[.!?]$/);
    expect(commandsIn(remedy).map(wrong).filter(Boolean)).toEqual([]);
  }
});

test('what ends a start names a command of the operator, or of Claude Code', () => {
  const starts = FailureCode.options.filter((code) => /^(?:claude|folder|start)_/.test(code));
  expect(starts.length).toBe(8);
  for (const code of starts)
    expect(remedyText(code, { session: 'chat' })).toMatch(/`(?:synthesis|claude)[ `]/);
});
