// What Claude asks by itself, and its plans: in the list, in the transcript, among the frames and opened.
import { expect, test } from 'vitest';
import { Seat } from './seat.ts';

const key = 'agent:main:main';
const colours = {
  questions: [
    {
      question: 'Which colours?',
      header: 'Colours',
      multiSelect: true,
      options: [{ label: 'red', description: 'warm' }, { label: 'blue' }],
    },
    { question: 'How many?', options: [{ label: 'one' }] },
  ],
};
const plan = {
  plan: '# The plan\n\n1. Move the parser into a folder of its own, with all of its tests and the notes.\n2. Run the tests.',
};

function asking(tool: string, input: unknown, columns = 100): Seat {
  const seat = new Seat(columns, 40);
  seat.working(key);
  seat.happens(key, {
    type: 'activity',
    turn: `t-${key}`,
    tool_use: 'u1',
    tool,
    phase: 'started',
    input,
  });
  seat.asks(key, 'kmqtr', tool, input);
  return seat;
}

test('a question of Claude is read as one everywhere: never as JSON', () => {
  const seat = asking('AskUserQuestion', colours);
  const words = 'Which colours? (several) 1. red 2. blue; How many? 1. one';
  expect(seat.row('kmqtr  AskUser')).toContain(words.slice(0, 40));
  expect(seat.row('◆ AskUserQuestion')).toContain(words);
  seat.press('3');
  expect(seat.row('permission.asked')).toContain('Which colours?');
  expect(seat.screen).not.toContain('{"');
  seat.press('p');
  expect(seat.screen).toContain('Question kmqtr');
  expect(seat.screen).toContain(
    [
      ' │ Which colours? (several may be chosen)',
      ' │ 1. red — warm',
      ' │ 2. blue',
      ' │',
      ' │ How many?',
    ].join('\n'),
  );
});

test('a dialog of Claude Code shows its words and options, and asks for one of them', () => {
  const input = { dialog: 'd', words: 'Proceed?', options: ['No', 'Yes'], preselected: 1 };
  const seat = asking('Claude Code dialog', input);
  expect(seat.row('kmqtr  Claude Code')).toContain('Proceed?');
  seat.press('p');
  expect(seat.screen).toContain('Dialog kmqtr');
  expect(seat.screen).toContain(' │ Proceed?\n │\n │ 1. No (preselected)\n │ 2. Yes\n');
  expect(seat.screen).toContain('and then it is not asked any more');
  expect(seat.screen).toContain('1-9 an option');
});

test('a plan is read as text, broken between words', () => {
  const seat = asking('ExitPlanMode', plan, 60);
  expect(seat.row('kmqtr  ExitPlan')).toContain('# The plan 1. Move');
  expect(seat.screen).not.toContain('{"plan');
  seat.press('p');
  expect(seat.screen).toContain('Plan kmqtr');
  expect(seat.screen).toContain(
    ' │ # The plan\n │\n │ 1. Move the parser into a folder of its own, with all\n ┊ of its tests and the notes.\n',
  );
  expect(seat.screen).toContain('a carry it out   d deny');
});

test('a plan that Claude wrote before, and a question that is none, are no trouble', () => {
  expect(asking('ExitPlanMode', {}).row('kmqtr  ExitPlan')).not.toContain('{');
  const seat = asking('AskUserQuestion', { questions: 'none' });
  expect(seat.row('kmqtr  AskUser')).toContain('{"questions":"none"}');
});

test('what a foreign text brings along stays in its row', () => {
  const seat = asking('AskUserQuestion', {
    questions: [{ question: 'a\u001b[2Jb\nc', options: [{ label: '\u202ered' }] }],
  });
  expect(seat.row('kmqtr  AskUser')).toContain('ab c 1. ⟦U+202E⟧red');
});
