// What a person reads before answering, and what the answer means in Claude Code's terms.
import { describe, expect, test } from 'vitest';
import { answersTo, askedQuestions } from '../../src/domain/question/asked-questions.ts';
import { digestOf } from '../../src/domain/question/picture.ts';
import {
  type AnswerRoad,
  chatParts,
  hiddenParts,
  partText,
  questionText,
} from '../../src/domain/question/question-text.ts';
import { sessionRules, sessionRuleTexts } from '../../src/domain/question/session-scope.ts';
import { readVerdict } from '../../src/domain/question/verdict.ts';
import { wholeText } from '../../src/domain/question/whole-text.ts';
import type { Ask } from '../../src/domain/state/session.ts';
import { askOf } from './question/ask-of.ts';

const place = { road: 'chat', dialect: 'markdown', before: '' } as const;
const chatText = (fields: Partial<Ask> = {}, road: AnswerRoad = 'chat') =>
  questionText(askOf(fields), { ...place, road });

describe('a question', () => {
  test('names tool, reason and whole input, and says how to answer', () => {
    expect(chatText({ rationale: 'List\nfiles' })).toBe(
      "Claude asks for permission to use **Bash**:\nClaude's reason: List files\n```\nls\n```\nApprove? Reply `yes abcde` or `no abcde`.",
    );
  });

  test('about a provider’s tool says who would run it, wherever it is read', () => {
    const asked: Partial<Ask> = { tool: 'notes_add', provider: 'notes', input: {} };
    expect(chatText(asked)).toMatch(
      /^Claude asks for permission to use \*\*notes\\_add\*\*, which the provider notes runs:\n/,
    );
    expect(wholeText(askOf(asked))).toMatch(
      /^Claude asks for permission to use notes_add, which the provider notes runs:\n/,
    );
  });

  test('shows what else a command comes with, and other tools as their fields', () => {
    expect(chatText({ input: { command: 'ls', run_in_background: true } })).toContain(
      '"run_in_background": true',
    );
    expect(chatText({ tool: 'Write', input: { file_path: '/w/a' } })).toContain('"file_path": "/w/a"');
  });

  test('longer than a message comes in parts, counts what is missing, and takes no yes before all of it was shown', () => {
    const input = { command: `echo start ${'x'.repeat(3000)} && rm -rf ~` };
    const text = chatText({ input });
    expect(text).toContain('echo start');
    expect(text).not.toContain('rm -rf');
    expect(text).toMatch(/\d{4} more characters: `show abcde 2` shows the next ones\./);
    expect(text).toContain('`yes abcde` counts when all of it was shown.');
    const whole = askOf({ input });
    expect(chatParts(whole)).toHaveLength(3);
    expect(hiddenParts(whole)).toEqual([2, 3]);
    const last = partText({ ...whole, shownParts: [2, 3] }, 3, place);
    expect(last).toContain('rm -rf ~');
    expect(last).toContain('Approve? Reply `yes abcde` or `no abcde`.');
  });

  test('says when only the beginning is known, and offers no yes there', () => {
    const text = chatText({ input: '{"command":"make', cut: true });
    expect(text).toContain('only the beginning');
    expect(text).not.toContain('`yes abcde`');
    expect(text).toContain('`no abcde`');
  });

  test('where nobody in the chat may answer names the operator’s commands', () => {
    const text = chatText({}, 'operator');
    expect(text).toContain('synthesis approve abcde');
    expect(text).not.toContain('`yes abcde`');
  });

  test('of Claude’s own is asked with numbers', () => {
    const input = {
      questions: [
        { question: 'Which size?', options: [{ label: 'S', description: 'small' }, { label: 'L' }] },
        { question: 'Which fruit?', multiSelect: true, options: [{ label: 'Fig' }] },
      ],
    };
    const text = chatText({ tool: 'AskUserQuestion', input });
    expect(text).toContain('Which size?\n1. S — small\n2. L\n');
    expect(text).toContain('Which fruit? (several may be chosen)\n1. Fig\n');
    expect(text).toContain(
      '`yes abcde 1 1` with one number for each question, in order, or your own words separated by ";"',
    );
  });

  test('about a plan shows the plan as it is written', () => {
    expect(chatText({ tool: 'ExitPlanMode', input: { plan: '# Do it' } })).toContain('```\n# Do it\n```');
    expect(chatText({ tool: 'ExitPlanMode', input: {} })).toContain('what it wrote above');
  });

  test('that is another one has another digest', () => {
    const digests = [
      {},
      { tool: 'Write' },
      { input: { command: 'ls ' } },
      { input: { command: 'ls', timeout: 1 } },
      { cut: true },
    ].map((fields) => digestOf(askOf(fields)));
    expect(new Set(digests).size).toBe(5);
    expect(digestOf(askOf({ rationale: 'because' }))).toBe(digests[0]);
    expect(digests[0]).toMatch(/^[0-9a-f]{16}$/);
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
