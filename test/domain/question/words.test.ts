// The words of a question to the letter, and the places at which it is cut.
import { describe, expect, test } from 'vitest';
import { block, closing, inline, literal } from '../../../src/domain/question/dialect.ts';
import { broken, exact } from '../../../src/domain/question/exact.ts';
import { partsOf } from '../../../src/domain/question/parts.ts';
import { digestOf, pictureOf } from '../../../src/domain/question/picture.ts';
import {
  answerRoad,
  chatParts,
  dialectOf,
  hiddenParts,
  isShownInChat,
  partText,
  questionText,
} from '../../../src/domain/question/question-text.ts';
import { cardText, wholeText } from '../../../src/domain/question/whole-text.ts';
import { evolved } from '../evolved.ts';
import { askOf } from './ask-of.ts';

const one = {
  questions: [{ question: 'Which?', options: [{ label: 'A', description: 'big' }, { label: 'B' }] }],
};
const two = {
  questions: [...one.questions, { question: 'More?', multiSelect: true, options: [{ label: 'C' }] }],
};
const choice = askOf({ tool: 'AskUserQuestion', input: one });
const choices = askOf({ tool: 'AskUserQuestion', input: two });
const dialog = askOf({
  tool: 'Claude Code dialog',
  input: { dialog: 'd', words: 'Proceed?', options: ['No', 'Yes'], preselected: 1 },
});
const form = askOf({ tool: 'Claude Code dialog', input: { dialog: 'd', words: 'Name:', options: [] } });
const plan = askOf({ tool: 'ExitPlanMode', input: { plan: ' Do it \n' } });
const planAbove = askOf({ tool: 'ExitPlanMode', input: {} });
const cut = askOf({ input: '{"command":"ma', cut: true });
/** More than is drawn, by seven characters. */
const endless = askOf({ input: { command: 'x'.repeat(300_007) } });
const long = askOf({ input: { command: 'x'.repeat(3_000) } });

describe('a question in a chat', () => {
  const plain = (ask: typeof choice) => questionText(ask, { road: 'chat', dialect: 'plain', before: '' });

  test.each([
    [
      'a command',
      askOf({ rationale: ' To  see\n' }),
      'Claude asks for permission to use Bash:\nClaude\'s reason: To see\n│ ls\nApprove? Reply "yes abcde" or "no abcde".',
    ],
    [
      'a choice',
      choice,
      'Claude asks:\n│ Which?\n│ 1. A — big\n│ 2. B\nReply "yes abcde 1" with the number or your own words, or "no abcde" to decline.',
    ],
    [
      'two choices',
      choices,
      'Claude asks:\n│ Which?\n│ 1. A — big\n│ 2. B\n│ \n│ More? (several may be chosen)\n│ 1. C\nReply "yes abcde 1 1" with one number for each question, in order, or your own words separated by ";", or "no abcde" to decline.',
    ],
    [
      'a dialog of Claude Code',
      dialog,
      'Claude Code shows a dialog in its terminal and waits for an answer:\n│ Proceed?\n│ \n│ 1. No (preselected)\n│ 2. Yes\nReply "yes abcde 1" with the number of the option, or "no abcde", which presses Esc.',
    ],
    [
      'a form of Claude Code',
      form,
      'Claude Code shows a dialog in its terminal and waits for an answer:\n│ Name:\nReply "no abcde", which presses Esc. Anything else can only be answered in its terminal: "synthesis attach".',
    ],
    [
      'a plan',
      plan,
      'Claude has a plan and asks whether to carry it out:\n│ Do it\nApprove? Reply "yes abcde" or "no abcde".',
    ],
    [
      'a plan that stands above',
      planAbove,
      'Claude asks whether to carry out its plan, which is in what it wrote above.\nApprove? Reply "yes abcde" or "no abcde".',
    ],
    [
      'the beginning of an input',
      cut,
      'Claude asks for permission to use Bash:\n│ {"command":"ma\n(This is only the beginning: the rest of it is known to Claude Code alone.)\nReply "no abcde", or let the operator look at the rest and answer.',
    ],
  ])('about %s', (_, ask, text) => expect(plain(ask)).toBe(text));

  test('about more than is drawn says how much is missing, and that a chat cannot allow it', () => {
    const parts = chatParts(endless).map((_, at) => at + 1);
    expect(plain(endless)).toContain('(This is only the beginning: 7 more characters are too much to draw.)');
    expect(
      plain({ ...endless, shownParts: parts })
        .split('\n')
        .at(-1),
    ).toBe('Reply "no abcde", or let the operator look at the rest and answer.');
    expect(isShownInChat({ ...endless, shownParts: parts })).toBe(false);
    expect(isShownInChat(cut)).toBe(false);
    expect(isShownInChat(askOf({ tool: 'x'.repeat(300_001) }))).toBe(false);
    expect(isShownInChat(askOf())).toBe(true);
    expect(isShownInChat(askOf({ input: 'x'.repeat(2_000) }))).toBe(false);
    expect(isShownInChat(askOf({ input: 'x'.repeat(2_000), shownParts: [2] }))).toBe(true);
  });

  test('that the operator has to answer says with which command', () => {
    const text = (ask: typeof choice) =>
      questionText(ask, { road: 'operator', dialect: 'plain', before: '' });
    expect(text(askOf())).toMatch(
      /\nIt waits for the operator: "synthesis approve abcde" or "synthesis deny abcde"\.$/,
    );
    expect(text(choice)).toMatch(/\nIt waits for the operator: "synthesis approve abcde --answer 1"\.$/);
    expect(text(dialog)).toMatch(
      /\nIt waits for the operator: "synthesis approve abcde --answer 1" with the number of the option, or "synthesis deny abcde", which presses Esc\.$/,
    );
    expect(text(long)).toMatch(
      /\n1763 more characters: "show abcde 2" shows the next ones\.\nIt waits for the operator: [^\n]*$/,
    );
  });

  test('that only the operator may answer asks nobody else for a yes, in none of its parts', () => {
    const place = { road: 'chat', dialect: 'plain', before: '' } as const;
    const waits = /\nIt waits for the operator: "synthesis approve abcde" or "synthesis deny abcde"\.$/;
    expect(plain(askOf({ needs: 'operator' }))).toMatch(waits);
    expect(partText({ ...long, needs: 'operator', shownParts: [2] }, 3, place)).toMatch(waits);
    expect(questionText(askOf({ needs: 'operator' }), { ...place, dialect: 'markdown' })).toContain(
      '**Bash**:\n```\nls\n```\nIt waits for the operator: `synthesis approve abcde`',
    );
    expect(plain(askOf({ needs: { quorum: 2 } }))).toMatch(
      /\nApprove\? Reply "yes abcde" or "no abcde"\.\n2 different people have to say yes; one no is enough\.$/,
    );
  });

  test('that is longer than a message says how to read on, until its last part', () => {
    const place = { road: 'chat', dialect: 'plain' } as const;
    const denies = '"no abcde" denies it at once; "yes abcde" counts when all of it was shown.';
    const parts = chatParts(long);
    expect(parts.map(({ length }) => length)).toEqual([1_351, 1_351, 412]);
    expect(plain(long).split('\n').slice(-2)).toEqual([
      '1763 more characters: "show abcde 2" shows the next ones.',
      denies,
    ]);
    const second = partText(long, 2, place).split('\n');
    expect(second[0]).toBe('Part 2 of 3 of what "abcde" asks:');
    expect(second.slice(-2)).toEqual(['412 more characters: "show abcde 3" shows the next ones.', denies]);
    const third = partText({ ...long, shownParts: [2] }, 3, place).split('\n');
    expect(third.at(-1)).toBe('Approve? Reply "yes abcde" or "no abcde".');
    expect(partText(long, 9, place).split('\n')[1]).toBe('│ ');
    expect(hiddenParts({ ...long, shownParts: [3] })).toEqual([2]);
  });

  test('is read in the dialect of its channel', () => {
    const turn = evolved({ source_channel: 'discord' }).turns[0];
    if (!turn) throw new Error('no turn');
    expect(dialectOf(turn)).toBe('discord');
    expect(dialectOf({ ...turn, meta: { source_channel: 'telegram' } })).toBe('markdown');
    expect(dialectOf({ ...turn, ingress: 'agp' })).toBe('plain');
    expect(dialectOf(undefined)).toBe('markdown');
  });

  test('in a group without approvers is the operator’s', () => {
    const group = evolved({ chat_type: 'group' }).turns[0];
    const direct = evolved({ chat_type: 'direct' }).turns[0];
    expect(answerRoad(group, [])).toBe('operator');
    expect(answerRoad(group, ['42'])).toBe('chat');
    expect(answerRoad(direct, [])).toBe('chat');
    expect(answerRoad(undefined, [])).toBe('chat');
  });
});

describe('the question of an agent', () => {
  const agent = { id: 'a1', title: 'tests' };
  const text = (ask: typeof choice, dialect: 'plain' | 'markdown' = 'plain') =>
    questionText(ask, { road: 'chat', dialect, before: '' }).split('\n')[0];

  test('begins with its name, of whatever kind it is', () => {
    expect(text(askOf({ agent }))).toBe('The agent "tests" asks for permission to use Bash:');
    expect(text(askOf({ agent }), 'markdown')).toBe('The agent "tests" asks for permission to use **Bash**:');
    expect(text({ ...choice, agent })).toBe('The agent "tests" asks:');
    expect(text({ ...plan, agent })).toBe('The agent "tests" has a plan and asks whether to carry it out:');
    expect(text(askOf({ agent: { id: 'a1' } }))).toBe('An agent of Claude asks for permission to use Bash:');
    expect(text(askOf({ agent: { id: 'a1', title: ' \n' } }))).toMatch(/^An agent of Claude asks/);
    expect(wholeText(askOf({ agent }))).toBe('The agent "tests" asks for permission to use Bash:\n│ ls');
    expect(wholeText({ ...choice, agent })).toMatch(/^The agent "tests" asks:\n/);
  });

  test('on a card names it behind what would run', () => {
    expect(cardText(askOf({ agent }))).toBe('ls\n\nThe agent "tests" asks for it.');
    expect(cardText(askOf({ agent, rationale: 'why' }))).toBe(
      'ls\n\nThe agent "tests" asks for it.\nClaude\'s reason: why',
    );
  });

  test('has a title that stays between its quotation marks, and is cut', () => {
    const titled = (title: string) => text(askOf({ agent: { id: 'a1', title } }), 'markdown');
    expect(titled('a" asks for **nothing**\n`b`')).toBe(
      'The agent "a\\\' asks for \\*\\*nothing\\*\\* \\`b\\`" asks for permission to use **Bash**:',
    );
    expect(titled('x'.repeat(61))).toContain(`"${'x'.repeat(60)}…"`);
  });

  test('has the digest and the parts of the same question without one', () => {
    expect(digestOf(askOf({ agent }))).toBe(digestOf(askOf()));
    expect(chatParts({ ...long, agent })).toEqual(chatParts(long));
  });
});

describe('a whole question', () => {
  test.each([
    [
      'a command',
      askOf({ input: { command: 'a\nb' }, rationale: 'why' }),
      "Claude asks for permission to use Bash:\nClaude's reason: why\n│ a\n│ b",
    ],
    ['a choice', choice, 'Claude asks:\n│ Which?\n│ 1. A — big\n│ 2. B'],
    ['a plan', plan, 'Claude asks whether to carry out its plan:\n│ Do it'],
    ['a plan that stands above', planAbove, 'Claude asks whether to carry out the plan it wrote.'],
    [
      'the beginning of an input',
      cut,
      'Claude asks for permission to use Bash:\n│ {"command":"ma\nThis is only the beginning: Claude\'s own terminal shows the rest.',
    ],
  ])('about %s', (_, ask, text) => expect(wholeText(ask)).toBe(text));

  test('of more than is drawn says how much is missing, and where it is', () => {
    expect(wholeText(endless).split('\n').at(-1)).toBe(
      'This is only the beginning: 7 more characters are too much to draw; `synthesis approvals --json` has all of them.',
    );
    expect(wholeText({ ...endless, cut: true })).toContain("Claude's own terminal shows the rest.");
  });

  test('on a card has no title, and is none where yes or no does not answer it', () => {
    expect(cardText(askOf({ rationale: 'why' }))).toBe("ls\n\nClaude's reason: why");
    expect(cardText(askOf())).toBe('ls');
    expect(cardText(plan)).toBe('Do it');
    expect(cardText(planAbove)).toBe('The plan is in what Claude wrote.');
    expect(cardText(choice)).toBeUndefined();
    expect(cardText(askOf({ tool: 'AskUserQuestion', input: {} }))).toBeUndefined();
    expect(cardText(cut)).toBeUndefined();
    expect(cardText(endless)).toBeUndefined();
    // One press of a button proves no second person, and not the operator.
    expect(cardText(askOf({ needs: { quorum: 2 } }))).toBeUndefined();
    expect(cardText(askOf({ needs: 'operator' }))).toBeUndefined();
    expect(cardText(askOf({ input: '' }))).toBe('');
  });
});

describe('a picture', () => {
  const bodyOf = (input: unknown, tool = 'Bash') => pictureOf(askOf({ input, tool })).body;

  test('has a command as a command, without its description, and everything else as fields', () => {
    expect(bodyOf({ command: 'ls', description: 'List' })).toBe('ls');
    expect(bodyOf({ command: 'ls', description: 7 })).toBe('ls\n{\n  "description": 7\n}');
    expect(bodyOf({ command: 'ls', description: 'List', timeout: 1 })).toBe('ls\n{\n  "timeout": 1\n}');
    expect(bodyOf({ command: ['ls'] })).toBe('{\n  "command": [\n    "ls"\n  ]\n}');
    expect(bodyOf('as it is')).toBe('as it is');
    expect(bodyOf(null)).toBe('null');
    expect(bodyOf(7)).toBe('7');
    expect(bodyOf(undefined)).toBe('');
    expect(bodyOf({})).toBe('{}');
  });

  test('is drawn and cut once for an input, and once more where something else is asked about the same one', () => {
    const input = { command: 'ls' };
    const ask = askOf({ input });
    const later = askOf({ input, shownParts: [2] });
    expect([pictureOf(later), chatParts(later)]).toEqual([pictureOf(ask), chatParts(ask)]);
    expect(pictureOf(later)).toBe(pictureOf(ask));
    expect(chatParts(later)).toBe(chatParts(ask));
    for (const other of [{ tool: 'Write' }, { rationale: 'why' }, { cut: true }]) {
      pictureOf(ask);
      const given = askOf({ input, ...other });
      expect(pictureOf(given)).toEqual(pictureOf(askOf({ input: { ...input }, ...other })));
      expect(pictureOf(given)).not.toEqual(pictureOf(ask));
    }
    for (const word of ['pwd', null]) {
      const given = askOf({ input: word });
      expect(pictureOf(given)).toBe(pictureOf(given));
    }
  });

  test('of a plan has no body where there is no text of it', () => {
    for (const input of [undefined, null, 'plan', {}, { plan: 7 }])
      expect(bodyOf(input, 'ExitPlanMode')).toBe('');
    expect(pictureOf(plan).kind).toBe('plan');
  });

  test('is a choice only where there is something to choose', () => {
    expect(pictureOf(choice).kind).toBe('choice');
    expect(pictureOf(askOf({ tool: 'AskUserQuestion', input: {} })).kind).toBe('permission');
    expect(pictureOf(askOf({ tool: 'Other', input: one })).kind).toBe('permission');
  });

  test('has its reason in one line of 300 characters, and none where there is none', () => {
    expect(pictureOf(askOf({ rationale: ` a \n\t b ` })).why).toBe('a b');
    expect(pictureOf(askOf({ rationale: 'x'.repeat(300) })).why).toBe('x'.repeat(300));
    expect(pictureOf(askOf({ rationale: 'x'.repeat(302) })).why).toBe(
      `${'x'.repeat(300)} … (2 more characters)`,
    );
    expect(pictureOf(askOf({ rationale: '\u202e' })).why).toBe('⟦U+202E⟧');
    expect('why' in pictureOf(askOf({ rationale: ' \n ' }))).toBe(false);
    expect('why' in pictureOf(askOf())).toBe(false);
  });

  test('has its tool in one line', () => {
    expect(pictureOf(askOf({ tool: ' a\n b\u202e ' })).tool).toBe('a b⟦U+202E⟧');
  });

  test('folds the lines of what can be chosen, so that none looks like another', () => {
    const input = {
      questions: [{ question: 'Which?\n2. x', options: [{ label: 'A\n2. B', description: 'a\nb' }] }],
    };
    expect(bodyOf(input, 'AskUserQuestion')).toBe('Which? 2. x\n1. A 2. B — a b');
  });

  test('has a digest of its own for each kind', () => {
    const asked = [askOf({ input: 'Do it' }), plan, { ...plan, tool: 'Bash' }, { ...plan, cut: true }];
    expect(new Set(asked.map(digestOf)).size).toBe(4);
  });
});

describe('what hides', () => {
  test.each([
    [' '.repeat(23), ' '.repeat(23)],
    [' '.repeat(24), '⟦U+0020×24⟧'],
    ['\u2800'.repeat(24), '⟦U+2800×24⟧'],
    [`${' '.repeat(12)}${'\t'.repeat(12)}`, '⟦U+0020×12⟧⟦U+0009×12⟧'],
    ['\n\n\n\n', '\n\n\n\n'],
    ['\n\n\n\n\n', '⟦U+000A×5⟧'],
    ['``', '``'],
    ['```', '⟦U+0060×3⟧'],
    ['a\u0301\u0301\u0301\u0301', 'a\u0301\u0301\u0301\u0301'],
    ['a\u0301\u0301\u0301\u0301\u0301', 'a⟦U+0301×5⟧'],
    ['\u2028\u2029', '⟦U+2028⟧⟦U+2029⟧'],
    ['\ue000', '⟦U+E000⟧'],
    ['\u{e0041}\u{e0041}', '⟦U+E0041×2⟧'],
    ['❤\ufe0f', '❤\ufe0f'],
    ['a\ufe0f', 'a⟦U+FE0F⟧'],
  ])('%j is %s', (text, shown) => expect(exact(text).text).toBe(shown));
});

describe('a long line', () => {
  test('goes on in the next one, behind a mark, each of several', () => {
    expect(broken('abcdef\nx\nghijkl', 3)).toBe('abc⟦↵⟧\ndef\nx\nghi⟦↵⟧\njkl');
    expect(broken('abcdef', 3)).toBe('abc⟦↵⟧\ndef');
    expect(broken('abcdefg\nh', 3)).toBe('abc⟦↵⟧\ndef⟦↵⟧\ng\nh');
    expect(broken('abc', 3)).toBe('abc');
    expect(broken('\nabcdef', 3)).toBe('\nabc⟦↵⟧\ndef');
  });

  test('is not cut in a mark of ours, nor in a character', () => {
    expect(broken('abc⟦U+0041⟧d', 11)).toBe('abc⟦U+0041⟧⟦↵⟧\nd');
    expect(broken('abc⟦U+0041⟧d', 10)).toBe('abc⟦↵⟧\n⟦U+0041⟧d');
    expect(broken('⟦U+0041⟧⟦U+0042⟧', 12)).toBe('⟦U+0041⟧⟦↵⟧\n⟦U+0042⟧');
    expect(broken('ab😀cd', 3)).toBe('ab⟦↵⟧\n😀c⟦↵⟧\nd');
    expect(broken('ab😀cd', 4)).toBe('ab😀⟦↵⟧\ncd');
    expect(broken('a\u{10ffff}b', 2)).toBe('a⟦↵⟧\n\u{10ffff}⟦↵⟧\nb');
    expect(broken('a\u{10000}b', 2)).toBe('a⟦↵⟧\n\u{10000}⟦↵⟧\nb');
  });

  test('is not cut in front of the mark that it begins with', () => {
    expect(broken('⟦U+0041⟧b', 4)).toBe('⟦U+0⟦↵⟧\n041⟧⟦↵⟧\nb');
  });
});

test('parts are cut at ends of lines, and are as long as they may be', () => {
  expect(partsOf('\naaa\nbbb', 4)).toEqual(['\naaa', 'bbb']);
  expect(partsOf('', 5)).toEqual(['']);
  expect(partsOf('ab\ncd', 5)).toEqual(['ab\ncd']);
  expect(partsOf('ab\ncd\ne', 5)).toEqual(['ab\ncd', 'e']);
  expect(partsOf('ab\ncde', 5)).toEqual(['ab', 'cde']);
  expect(partsOf('abcdefg\nh', 5)).toEqual(['abcdefg', 'h']);
  expect(partsOf('\n\n', 5)).toEqual(['\n\n']);
});

describe('a piece of a line', () => {
  test('is escaped where there is markup, every mark of it', () => {
    const marks = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
    expect(inline(marks, 'markdown')).toBe([...marks].map((mark) => `\\${mark}`).join(''));
    expect(inline('aZ09 ä│', 'markdown')).toBe('aZ09 ä│');
    expect(inline(marks, 'plain')).toBe(marks);
    expect(inline('*a`', 'discord')).toBe('\\*a⟦U\\+0060⟧');
  });

  test('of ours is code or quoted', () => {
    expect(literal('yes', 'markdown')).toBe('`yes`');
    expect(literal('yes', 'discord')).toBe('"yes"');
    expect(literal('yes', 'plain')).toBe('"yes"');
  });

  test('stands in a block, or behind bars', () => {
    expect(block('a*\nb', 'markdown')).toBe('```\na*\nb\n```');
    expect(block('a*\nb', 'discord')).toBe('│ a\\*\n│ b');
    expect(block('a*\nb', 'plain')).toBe('│ a*\n│ b');
  });
});

describe('what an answer left open', () => {
  const ended = (...names: string[]) =>
    ['\n', '</div "\'-->', '</div ]]>', ...names.map((name) => `</${name}>`)].join('\n');

  test.each([
    '',
    'Done.',
    'a < b',
    '<div>',
    '```\nls\n```',
    '```sh\nls\n```  ',
    '````\n```\n````',
    '```\nls\n`````',
    '~~~ `x`\n```\n~~~',
    '  ```\n  ls\n\n  ```',
    '```\r\nls\r\n```\r\n~~~\n~~~',
    '``',
    '~~',
    '```\n<!-- x\n```',
    'a\n   ```\n   b\n   ```\nc',
    'a ```',
    '```\n```\na < b',
    '```\rls\r```',
  ])('is nothing in %j', (answer) => expect(closing(answer, 'markdown')).toBe(''));

  test.each([
    ['```\nls', '\n\n```end\n```'],
    ['````\nls\n```', '\n\n````end\n````'],
    ['~~~\nls', '\n\n~~~end\n~~~'],
    ['```\nls\n~~~', '\n\n```end\n```\n\n~~~end\n~~~'],
    ['```\nls\n``` x', '\n\n```end\n```'],
    ['- ```\n  ls\n  ```', '\n\n```end\n```'],
    ['> ```\n> ```', '\n\n```end\n```'],
    ['1. ```\n   ```', '\n\n```end\n```'],
    ['\t```\n\t```', '\n\n```end\n```'],
    ['``` a`b\n```', '\n\n```end\n```'],
    ['  ```\nls\n  ```', '\n\n```end\n```'],
    ['```\nls\n ```', '\n\n```end\n```'],
    ['```\n> ```\n', '\n\n```end\n```'],
    ['```\n ```\n```', '\n\n```end\n```'],
    ['> ```\n```', '\n\n```end\n```'],
    ['- ```\n```', '\n\n```end\n```'],
    ['- - ```', '\n\n```end\n```'],
    ['<!-- x', `\n\n-->${ended()}`],
    ['<? x', `\n\n?>${ended()}`],
    ['<![CDATA[ x', `\n\n]]>${ended()}`],
    ['<!a x', `\n\n>${ended()}`],
    ['<!A x', `\n\n>${ended()}`],
    ['<script>', `\n\n</script>${ended('script')}`],
    ['<SCRIPT>', `\n\n</script>${ended('script')}`],
    ['<PRE>', `\n\n</pre>${ended('pre')}`],
    ['<Style>', `\n\n</style>${ended('style')}`],
    ['<TextArea>', `\n\n</textarea>${ended('textarea')}`],
    ['- <pre>', `\n\n</pre>${ended('pre')}`],
    ['<pre><!--', `\n\n-->\n</pre>${ended('pre')}`],
    ['<pre>\n```', `\n\n</pre>\n\n\`\`\`end\n\`\`\`${ended('pre')}`],
    ['<details>', ended('details')],
    ['<td x><div hidden>', ended('div', 'td')],
    ['> <!-- ```` ~~~', `\n\n-->\n\n\`\`\`\`end\n\`\`\`\`\n\n~~~end\n~~~${ended()}`],
  ])('in %j is closed', (answer, closed) => expect(closing(answer, 'markdown')).toBe(closed));

  test('is nothing where nothing pairs across a line', () => {
    expect(closing('```\nls', 'discord')).toBe('');
    expect(closing('```\nls', 'plain')).toBe('');
  });

  test('is closed in a paragraph in front of the question', () => {
    const text = (before: string) => questionText(askOf(), { road: 'chat', dialect: 'markdown', before });
    expect(text('```\nls')).toMatch(/^\n\n```end\n```\n\nClaude asks for permission/);
    expect(text('Done.')).toMatch(/^Claude asks for permission to use \*\*Bash\*\*:\n```\nls\n```\n/);
  });
});
