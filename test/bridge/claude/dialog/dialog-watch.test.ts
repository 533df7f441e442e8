import { expect, test } from 'vitest';
import { watchDialog } from '../../../../src/bridge/claude/dialog/dialog-watch.ts';
import type { RunOptions } from '../../../../src/bridge/claude/run-options.ts';
import { decide } from '../../../../src/domain/decide/decide.ts';
import { outcomeText } from '../../../../src/domain/question/outcome.ts';
import { digestOf } from '../../../../src/domain/question/picture.ts';
import { DialogRun } from './dialog-run.ts';

class Watched extends DialogRun {
  viewed = false;

  constructor(given: Partial<RunOptions> = {}) {
    super(given);
    void watchDialog(this.run, { tell: this.tell, viewed: () => this.viewed });
  }
}

test('a dialog that no hook told is a question after five seconds, and the turn waits', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(4900);
  expect([on.asks.length, on.health.size]).toEqual([0, 0]);
  await on.pass(300);
  expect(on.asked).toMatchObject({
    turn: 't',
    tool: 'Claude Code dialog',
    input: { words: 'Do you want to proceed?', options: ['No', 'Yes', 'Always'], preselected: 1 },
  });
  expect([...on.health.keys()]).toEqual(['untold_question']);
  await on.pass(600_000);
  expect(on.ending()).toBe('running');
});

test('while nothing runs it is asked of whoever wrote last', async () => {
  const on = new Watched();
  on.working();
  on.stop('');
  on.menu.open();
  await on.pass(6000);
  expect(on.asked).toMatchObject({ turn: 't' });
});

test('an answer by its number presses the keys, and is kept with its words', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  const { code } = on.asked;
  on.answer('allow', '2');
  await on.pass(2000);
  expect(on.menu.keys).toEqual(['\x1b[B', '\r']);
  expect(on.core.events).toContainEqual(
    expect.objectContaining({ type: 'permission.decided', code, verdict: 'allow', reason: '2. Yes' }),
  );
  expect(on.asks.at(-1)?.state).toMatchObject({ name: 'settled', outcome: 'applied' });
  expect([on.ending(), on.health.size]).toEqual(['running', 0]);
});

test('an answer that is on its way is waited for', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  const { code } = on.asked;
  const said = { verdict: 'allow', by: 'chat', reason: '2', shown: digestOf(on.asked) } as const;
  on.core.dispatch({ type: 'permission.decide', code, ...said });
  await on.pass(3000);
  expect([on.ending(), on.menu.keys]).toEqual(['running', []]);
  on.run.dialogs.answer({ code, verdict: 'allow', by: 'chat', scope: 'once', reason: '2. Yes' });
  await on.pass(2000);
  expect(on.menu.keys).toEqual(['\x1b[B', '\r']);
});

test('a no presses Esc', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  on.answer('deny', undefined, 'cli');
  await on.pass(2000);
  expect(on.menu.keys).toEqual(['\x1b']);
  expect(on.asks.at(-1)?.state).toMatchObject({ outcome: 'applied', verdict: 'deny' });
});

test.each([undefined, 'yes', '0', '4', 'No', '1 2'])(
  'an answer without an option of it (%s) is refused',
  async (reason) => {
    const on = new Watched();
    on.menu.open();
    on.working();
    await on.pass(6000);
    on.answer('allow', reason);
    await on.pass(2000);
    expect(on.menu.keys).toEqual([]);
    expect(on.core.refused.at(-1)?.rejection).toEqual({ code: 'no_option' });
    expect(on.asked.state.name).toBe('asked');
  },
);

test('one that changed before the answer was carried out is asked anew, in words, and nothing is pressed', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  const { code } = on.asked;
  on.menu.words = 'Do you want to delete everything?';
  on.answer('allow', '1');
  await on.pass(7000);
  expect(on.menu.keys).toEqual([]);
  expect(on.asks.find((ask) => ask.code === code)?.state).toMatchObject({ outcome: 'superseded' });
  expect(on.asked.input).toMatchObject({
    words: 'Do you want to delete everything?',
    note: expect.stringContaining(`nothing was chosen (${code})`),
  });
});

test('one that is answered in the terminal, or goes away, is asked no more', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  on.menu.close();
  await on.pass(1000);
  const [ask] = on.asks;
  expect(ask && outcomeText(ask)).toContain('it was answered in the terminal or went away');
  expect([on.ending(), on.health.size]).toEqual(['running', 0]);
});

test('one behind the other is another question', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  const first = on.asked.code;
  on.menu.becomes('And what now?');
  await on.pass(7000);
  expect(on.asked).toMatchObject({ input: { words: 'And what now?' } });
  expect(on.asked.code).not.toBe(first);
});

test.each([
  ['its time', { type: 'permission.expire' as const, code: '' }],
  ['too many wrong codes', { type: 'permission.guess' as const }],
])('%s answers nothing: no key is pressed, and the turn ends in words', async (_name, command) => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  const { code } = on.asked;
  for (let each = 0; each < 5; each += 1) on.core.dispatch({ ...command, code } as typeof command);
  await on.pass(3000);
  expect(on.menu.keys).toEqual([]);
  const [ask] = on.asks;
  expect(ask?.state).not.toHaveProperty('verdict');
  expect(ask && outcomeText(ask)).toContain('no key was pressed');
  expect(on.asks).toHaveLength(1);
  expect([on.ending(), ...on.health.keys()]).toEqual(['untold_question', 'untold_question']);
});

test('who looks at the terminal can answer there: the turn waits for them', async () => {
  const on = new Watched();
  on.working();
  on.viewed = true;
  on.menu.open();
  await on.pass(6000);
  on.core.dispatch({ type: 'permission.expire', code: on.asked.code });
  await on.pass(60_000);
  expect(on.ending()).toBe('running');
  on.viewed = false;
  await on.pass(2000);
  expect(on.ending()).toBe('untold_question');
});

test.each([
  ['a menu without a rule above it', ['❯ 1. Yes', '  2. No', 'Esc to cancel']],
  ['a picture without a menu', ['Shall the kite fly?', '', 'Type Y or N']],
])('what is not understood can only be left: %s', async (_what, rows) => {
  const on = new Watched();
  const prompt = on.menu.rows;
  on.working();
  on.menu.rows = () => rows;
  on.menu.draw('✳ asks');
  await on.pass(6000);
  expect(on.asks).toMatchObject([
    {
      input: {
        words: rows
          .filter((row) => row !== '')
          .map((row) => row.replace('❯', ' '))
          .join('\n')
          .trim(),
        options: [],
      },
    },
  ]);
  expect([on.ending(), ...on.health.keys()]).toEqual(['running', 'untold_question']);
  on.menu.onEscape = () => {
    on.menu.rows = prompt;
    on.menu.close();
  };
  on.answer('allow', '1');
  await on.pass(1000);
  expect(on.menu.keys).toEqual([]);
  on.answer('deny');
  await on.pass(1000);
  expect(on.menu.keys).toEqual(['\x1b']);
  expect(on.health.size).toBe(0);
});

test('what hides the prompt while Claude Code works is no dialog', async () => {
  const on = new Watched();
  on.working();
  on.menu.rows = () => ['~', '~', 'message.md  All'];
  on.menu.draw('◐ works');
  await on.pass(60_000);
  expect([on.asks.length, on.ending(), on.health.size]).toEqual([0, 'running', 0]);
});

test('whether a folder is trusted no chat decides', async () => {
  const on = new Watched();
  on.working();
  on.menu.options = ['No, exit', 'Yes, I trust this folder'];
  on.menu.open();
  await on.pass(6000);
  expect([on.asks.length, on.ending()]).toEqual([0, 'untold_question']);
});

test('one whose words change all the time is said, and not asked', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  for (let second = 0; second < 16; second += 1) {
    on.menu.becomes(`Do you want to proceed? ${second}`);
    await on.pass(1000);
  }
  expect([on.asks.length, on.ending()]).toEqual([0, 'untold_question']);
});

test('a question that its hook tells is none of these', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(2000);
  on.hook('PermissionRequest', { tool_name: 'Write', tool_input: { file_path: 'x.txt' } });
  await on.pass(60_000);
  expect(on.asks.map(({ tool }) => tool)).toEqual(['Write']);
  expect([on.ending(), on.health.size]).toEqual(['running', 0]);
});

test.each(['deny', 'operator', { quorum: 2 }] as const)(
  'what a rule is stricter about (%j) only the operator answers',
  async (decision) => {
    const on = new Watched({ judge: () => ({ decision, why: 'rule 1' }) });
    on.working();
    on.menu.open();
    await on.pass(6000);
    expect(on.asked).toMatchObject({ needs: 'operator', rule: 'rule 1' });
    on.answer('allow', '2');
    await on.pass(2000);
    expect(on.menu.keys).toEqual([]);
    on.answer('allow', '2', 'cli');
    await on.pass(2000);
    expect(on.menu.keys).toEqual(['\x1b[B', '\r']);
  },
);

test('nobody is asked in a run that nobody attends, and no key is pressed', async () => {
  const on = new Watched();
  on.core.dispatch({
    type: 'turn.submit',
    turn: 't',
    claude: 'c',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'hi',
    meta: { unattended: 'cron' },
  });
  on.core.dispatch({ type: 'prompt.handing', turn: 't' });
  on.run.taken('t');
  on.menu.open();
  await on.pass(8000);
  expect(on.asks[0]?.state).toMatchObject({ name: 'settled' });
  expect([on.menu.keys, on.ending()]).toEqual([[], 'untold_question']);
});

test('a panic presses no key', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  const panic = { since: 1, by: 'the operator' };
  const decision = decide(on.session, { type: 'session.rest' }, { queued: 1, panic });
  const events = 'events' in decision ? decision.events : [];
  expect(events.map(({ type }) => type)).toContain('permission.settled');
  expect(events.map(({ type }) => type)).not.toContain('permission.decided');
});

test('one whose hook comes late after all is that question, and not two', async () => {
  const on = new Watched();
  on.working();
  on.menu.open();
  await on.pass(6000);
  on.hook('PermissionRequest', { tool_name: 'Write', tool_input: { file_path: 'x.txt' } });
  await on.pass(2000);
  expect(on.asks.map(({ tool, state }) => [tool, state.name])).toEqual([
    ['Claude Code dialog', 'settled'],
    ['Write', 'asked'],
  ]);
  expect([on.ending(), on.health.size]).toEqual(['running', 0]);
});

test('what a bridge before asked is asked anew', async () => {
  const before = new Watched();
  before.working();
  before.menu.open();
  await before.pass(6000);
  const { code } = before.asked;
  const { run } = before;
  run.dialogs.close();
  // Another desk, as the next bridge has one.
  const known = { heard: 0, joining: [], asks: [], askedBefore: [], calls: [], results: [], dialogs: [code] };
  const after = new Watched({ known });
  expect(after.reports).toContainEqual(expect.objectContaining({ type: 'permission.withdrawn', code }));
});
