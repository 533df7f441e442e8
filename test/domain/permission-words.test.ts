// What a person reads before answering, and what the answer means in Claude Code's terms.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answersTo, askedQuestions } from '../../src/domain/asked-questions.ts';
import { isCut, questionText } from '../../src/domain/question.ts';
import type { Ask } from '../../src/domain/session.ts';
import { sessionRules, sessionRuleTexts } from '../../src/domain/session-scope.ts';
import { readVerdict } from '../../src/domain/verdict.ts';

const ask = (fields: Partial<Ask> = {}): Ask => ({
  code: 'abcde',
  tool: 'Bash',
  input: { command: 'ls' },
  expiresAt: 0,
  cut: false,
  suggestions: [],
  guesses: 0,
  told: 'nothing',
  state: { name: 'asked' },
  ...fields,
});

describe('a question', () => {
  test('names tool, reason and whole input, and says how to answer', () => {
    expect(questionText(ask({ rationale: 'List\nfiles' }))).toBe(
      'Claude asks for permission to use **Bash**:\nList files\n```\nls\n```\nApprove? Reply `yes abcde` or `no abcde`.',
    );
  });

  test('shows what else a command comes with, and other tools as their fields', () => {
    expect(questionText(ask({ input: { command: 'ls', run_in_background: true } }))).toContain(
      '"run_in_background": true',
    );
    expect(questionText(ask({ tool: 'Write', input: { file_path: '/w/a' } }))).toContain(
      '"file_path": "/w/a"',
    );
  });

  test('shows head and tail of a long input and counts what lies between', () => {
    const command = `echo start ${'x'.repeat(3000)} && rm -rf ~`;
    const text = questionText(ask({ input: { command } }));
    expect(text).toContain('echo start');
    expect(text).toContain('rm -rf ~');
    expect(text).toContain(`[… ${command.length - 1200} characters not shown …]`);
    expect(text).toMatch(/\(\d+ characters are not shown: look before you allow it\.\)/);
    expect(isCut(ask({ input: { command } }))).toBe(true);
  });

  test('says when only the beginning is known, and offers no yes there', () => {
    const cut = ask({ input: '{"command":"make', cut: true });
    expect(questionText(cut)).toContain('only the beginning');
    expect(questionText(cut)).not.toContain('`yes abcde`');
    expect(questionText(cut)).toContain('`no abcde`');
    expect(isCut(cut)).toBe(true);
  });

  test('where nobody in the chat may answer names the operator’s commands', () => {
    const text = questionText(ask(), 'operator');
    expect(text).toContain('synthesis approve abcde');
    expect(text).not.toContain('`yes abcde`');
  });

  test('never shows a character that hides or turns others, and nothing ends the block of the input', () => {
    const hidden =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const tool of ['Bash', 'AskUserQuestion', 'ExitPlanMode', text]) {
          const input = {
            command: text,
            plan: text,
            questions: [{ question: text, options: [{ label: text }] }],
          };
          const shown = questionText(ask({ tool, input, rationale: text }));
          expect(shown).not.toMatch(hidden);
          expect(shown.trimEnd()).toMatch(/`no abcde`(?: to decline)?\.$/);
        }
        const block = questionText(ask({ input: { command: `${text}\`\`\`` } }));
        expect(block.split('```')).toHaveLength(3);
      }),
    );
  });

  test('of Claude’s own is asked with numbers', () => {
    const input = {
      questions: [
        { question: 'Which size?', options: [{ label: 'S', description: 'small' }, { label: 'L' }] },
        { question: 'Which fruit?', multiSelect: true, options: [{ label: 'Fig' }] },
      ],
    };
    const text = questionText(ask({ tool: 'AskUserQuestion', input }));
    expect(text).toContain('Which size?\n1. S — small\n2. L\n');
    expect(text).toContain('Which fruit? (several may be chosen)\n1. Fig\n');
    expect(text).toContain('one answer per question separated by `;`');
  });

  test('about a plan shows the plan', () => {
    expect(questionText(ask({ tool: 'ExitPlanMode', input: { plan: '# Do it' } }))).toContain('# Do it');
    expect(questionText(ask({ tool: 'ExitPlanMode', input: {} }))).toContain('what Claude wrote above');
  });
});

describe('an answer to questions of Claude', () => {
  const questions = askedQuestions({
    questions: [
      { question: 'Size?', options: [{ label: 'S' }, { label: 'L' }] },
      {
        question: 'Fruit?',
        multiSelect: true,
        options: [{ label: 'Fig' }, { label: 'Kiwi' }, { label: 'Pear' }],
      },
    ],
  });

  test.each([
    ['2; 1,3', { 'Size?': 'L', 'Fruit?': 'Fig, Pear' }],
    ['s;kiwi', { 'Size?': 'S', 'Fruit?': 'Kiwi' }],
    ['9; my own', { 'Size?': '9', 'Fruit?': 'my own' }],
  ])('%j', (said, answers) => {
    expect(answersTo(questions, said)).toEqual(answers);
  });

  test('may hold a semicolon when there is only one question', () => {
    expect(answersTo(questions.slice(0, 1), 'red; but dark')).toEqual({ 'Size?': 'red; but dark' });
  });
});

describe('what holds for the session', () => {
  test('ends with it, whatever Claude Code suggested', () => {
    const suggestions = [
      {
        type: 'addRules',
        behavior: 'allow',
        destination: 'localSettings',
        rules: [{ toolName: 'Bash', ruleContent: 'make' }],
      },
      { type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' },
      { type: 'addDirectories', directories: ['/w'], destination: 'projectSettings' },
    ];
    expect(sessionRules(suggestions).map(({ destination }) => destination)).toEqual([
      'session',
      'session',
      'session',
    ]);
    expect(sessionRuleTexts(suggestions)).toEqual([
      'allow Bash(make)',
      'accept edits of files in its folder',
      'work in /w',
    ]);
  });

  test.each([
    [{ type: 'setMode', mode: 'bypassPermissions' }],
    [{ type: 'setMode', mode: 'auto' }],
    [{ type: 'addRules', behavior: 'deny', rules: [{ toolName: 'Bash' }] }],
    [{ type: 'removeRules', rules: [{ toolName: 'Bash' }] }],
    [{ type: 'something new' }],
  ])('is never %j', (suggestion) => {
    expect(sessionRules([suggestion])).toEqual([]);
  });
});

test('a verdict is a word, a code and nothing that could be read otherwise', () => {
  expect(readVerdict('YES abcde')).toEqual({ verdict: 'allow', code: 'abcde', rest: '' });
  expect(readVerdict('no abcde, not that one')).toEqual({
    verdict: 'deny',
    code: 'abcde',
    rest: 'not that one',
  });
  for (const text of ['yes', 'yes ab', 'yes ablde', 'yesabcde', 'maybe abcde', 'say yes abcde', 'yes abcdef'])
    expect(readVerdict(text)).toBeUndefined();
});
