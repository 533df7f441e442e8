// What a person sees of a question, wherever it is shown: the whole command, in order, as text, whatever stands around it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/domain/question/dialect.ts';
import { chatParts, partText, questionText } from '../../../src/domain/question/question-text.ts';
import { cardText, wholeText } from '../../../src/domain/question/whole-text.ts';
import { paragraph } from '../../../src/domain/words/turn-words.ts';
import { askOf, toldAgain } from './ask-of.ts';
import { type Read, readBarred, readDiscord, readMarkdown, readTelegram } from './dialects.ts';
import { hostileRuns, hostileText } from './hostile.ts';

const readers: [name: string, Dialect, read: (text: string) => Read][] = [
  ['CommonMark', 'markdown', (text) => readMarkdown(text, false)],
  ['CommonMark with HTML', 'markdown', (text) => readMarkdown(text, true)],
  ['Discord', 'discord', readDiscord],
  ['Telegram', 'markdown', readTelegram],
  ['plain text', 'plain', readBarred],
];

/** As the response says it: Claude's answer, then the question. */
const message = (answer: string, text: string) => answer + paragraph(answer, text);

/** The last block, which has to be the question's. @returns all the parts together, told again */
function seen(
  read: (text: string) => Read,
  dialect: Dialect,
  answer: string,
  ask: ReturnType<typeof askOf>,
): string {
  const parts = chatParts(ask).map((_, at) =>
    at === 0
      ? message(answer, questionText(ask, { road: 'chat', dialect, before: answer }))
      : partText(ask, at + 1, { road: 'chat', dialect }),
  );
  return toldAgain(parts.map((text) => read(text).blocks.at(-1) ?? '').join('\n'));
}

describe.each(readers)('in %s', (name, dialect, read) => {
  // Telegram's old mode refuses a message with a block that is left open, and its sender sends it without markup.
  const answers = name === 'Telegram' ? fc.constantFrom('', 'Done.\n') : hostileText(8);

  test('the whole command is one block of text, whatever the answer, the reason and the command hold', () => {
    fc.assert(
      fc.property(answers, hostileText(), hostileText(4), (answer, command, rationale) => {
        const ask = askOf({ input: { command: `${command}!` }, rationale });
        // Discord's reader draws a tab as four blanks.
        const drawn = (text: string) => (name === 'Discord' ? text.replaceAll('\t', '    ') : text);
        expect(drawn(seen(read, dialect, answer, ask))).toBe(drawn(`${command}!`));
      }),
      { numRuns: hostileRuns },
    );
  });

  test('the title of an agent stays between quotation marks in the first line, and the command is the block', () => {
    fc.assert(
      fc.property(hostileText(), (title) => {
        const ask = askOf({ input: { command: 'ls' }, agent: { id: 'a', title: `T${title}` } });
        const { prose, blocks } = read(questionText(ask, { road: 'chat', dialect, before: '' }));
        expect(blocks).toEqual(['ls']);
        if (name === 'Telegram') return;
        expect(prose).toMatch(/^The agent "T[^"\n]*" asks for permission to use Bash:/);
      }),
      { numRuns: Math.ceil(hostileRuns / 5) },
    );
  });

  test('the reason, the tool and the way to answer are prose, and nothing of them is left out', () => {
    fc.assert(
      fc.property(hostileText(4), hostileText(4), (rationale, tool) => {
        const ask = askOf({ input: { command: 'ls' }, rationale: `a${rationale}b`, tool: `A${tool}Z` });
        const { prose, blocks } = read(questionText(ask, { road: 'chat', dialect, before: '' }));
        expect(blocks).toEqual(['ls']);
        expect(prose).toContain('abcde');
        if (name === 'Telegram') return;
        expect(toldAgain(prose)).toContain(`use ${`A${tool}Z`.replace(/\s+/g, ' ')}:`);
      }),
      { numRuns: Math.ceil(hostileRuns / 5) },
    );
  });
});

test('on a terminal every row of it stands behind a bar, and the rows are the command', () => {
  fc.assert(
    fc.property(hostileText(), hostileText(4), hostileText(4), (command, rationale, title) => {
      const agent = { id: 'a', title };
      const lines = wholeText(askOf({ input: { command: `!${command}` }, rationale, agent })).split('\n');
      const barred = lines.filter((line) => line.startsWith('│ '));
      expect(toldAgain(barred.map((line) => line.slice(2)).join('\n'))).toBe(`!${command}`);
      expect(
        lines
          .slice(0, -barred.length)
          .every((line) => /^(?:Claude|The agent "[^"]*" asks|An agent of Claude asks)/.test(line)),
      ).toBe(true);
    }),
    { numRuns: hostileRuns },
  );
});

test('a card has the whole command first', () => {
  fc.assert(
    fc.property(hostileText(), hostileText(4), (command, rationale) => {
      const text = cardText(askOf({ input: { command: `!${command}` }, rationale })) ?? '';
      expect(toldAgain(text).startsWith(`!${command}`)).toBe(true);
    }),
    { numRuns: hostileRuns },
  );
});

test('a command that closes a fence which the answer or the reason left open stays a command', () => {
  const command = 'ls -la\n```\n<!-- \nrm -rf ~\n -->';
  for (const answer of ['Look:\n```sh\nls', 'Look:\n~~~\nls', '- a\n  ```\n  b', '<!-- x', 'a ||b', 'x `y'])
    for (const rationale of ['``` List files', '||', '<!--', '[a](b)'])
      for (const [, dialect, read] of readers.slice(0, 3))
        expect(seen(read, dialect, answer, askOf({ input: { command }, rationale }))).toBe(command);
});
