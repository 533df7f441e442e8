import { expect, test } from 'vitest';
import { askAtStart } from '../../../../src/bridge/claude/dialog/start-questions.ts';
import type { RunOptions } from '../../../../src/bridge/claude/run-options.ts';
import { outcomeText } from '../../../../src/domain/question/outcome.ts';
import { DialogRun } from './dialog-run.ts';

/** A start: the message `t` is on its way, and a dialog stands there. */
class Starting extends DialogRun {
  isReady = false;
  /** How often it was said that nobody can be asked. */
  stuck = 0;

  constructor(words: string, given: Partial<RunOptions> = {}) {
    super(given);
    this.menu.words = words;
    this.core.hand('t', 'hi');
    this.menu.open();
    const stuck = () => {
      this.stuck += 1;
    };
    void askAtStart(this.run, () => this.isReady, stuck);
  }
}

const harmless = 'Something new';
const loose = 'Use the servers of this project?';

test('a dialog is a question of the message that it holds, as soon as it has stood long enough', async () => {
  const on = new Starting(harmless);
  await on.pass(2900);
  expect(on.asks).toEqual([]);
  await on.pass(300);
  expect(on.asked).toMatchObject({
    turn: 't',
    tool: 'Claude Code dialog',
    input: { words: harmless, options: ['No', 'Yes', 'Always'], preselected: 1 },
  });
  expect(on.stuck).toBe(0);
});

test('an answer presses its keys behind looks, and what stands behind it is asked in its turn', async () => {
  const on = new Starting(harmless);
  on.menu.onEnter = () => on.menu.becomes('And another one');
  await on.pass(4000);
  const first = on.asked.code;
  on.answer('allow', '2');
  await on.pass(6000);
  expect(on.menu.keys).toEqual(['\x1b[B', '\r']);
  expect(on.asks[0]?.state).toMatchObject({ name: 'settled', outcome: 'applied', reason: '2. Yes' });
  expect(on.asked).toMatchObject({ turn: 't', input: { words: 'And another one' } });
  expect([on.asked.code === first, on.stuck]).toEqual([false, 0]);
});

test('one that changed before its answer was carried out is asked anew, and nothing is pressed', async () => {
  const on = new Starting(harmless);
  await on.pass(4000);
  on.menu.words = 'Something else';
  on.answer('allow', '1');
  on.menu.draw('✳');
  await on.pass(6000);
  expect(on.menu.keys).toEqual([]);
  expect(on.asked.input).toMatchObject({
    words: 'Something else',
    note: expect.stringContaining('nothing was chosen'),
  });
});

test.each([
  ['its time', { type: 'permission.expire' as const, code: '' }],
  ['too many wrong codes', { type: 'permission.guess' as const }],
])('%s answers nothing: no key is pressed, nobody is asked again, and that is said', async (_, command) => {
  const on = new Starting(harmless);
  await on.pass(4000);
  const { code } = on.asked;
  for (let each = 0; each < 5; each += 1) on.core.dispatch({ ...command, code } as typeof command);
  await on.pass(60_000);
  expect([on.menu.keys, on.asks.length, on.stuck]).toEqual([[], 1, 1]);
  const [ask] = on.asks;
  expect(ask && outcomeText(ask)).toContain('no key was pressed');
  // Somebody has answered it in the terminal.
  on.menu.becomes('And another one');
  await on.pass(4000);
  expect(on.asked.input).toMatchObject({ words: 'And another one' });
});

test('what lets something loose is not asked, and what stands behind it is', async () => {
  const on = new Starting(loose);
  await on.pass(10_000);
  expect([on.asks, on.stuck]).toEqual([[], 1]);
  on.menu.becomes(harmless);
  await on.pass(4000);
  expect(on.asked.input).toMatchObject({ words: harmless });
});

test('what lets something loose behind an answered one is not asked', async () => {
  const on = new Starting(harmless);
  on.menu.onEnter = () => on.menu.becomes(loose);
  await on.pass(4000);
  on.answer('allow', '1');
  await on.pass(10_000);
  expect([on.asks.length, on.stuck]).toEqual([1, 1]);
});

test('what went away in the terminal is asked no more', async () => {
  const on = new Starting(harmless);
  await on.pass(4000);
  on.menu.close();
  await on.pass(2000);
  const [ask] = on.asks;
  expect(ask && outcomeText(ask)).toContain('it was answered in the terminal or went away');
  expect([on.menu.keys, on.stuck]).toEqual([[], 0]);
});

test('from the first prompt on it asks nothing', async () => {
  const on = new Starting(harmless);
  await on.pass(4000);
  on.isReady = true;
  on.menu.close();
  await on.pass(2000);
  on.menu.open();
  await on.pass(10_000);
  expect(on.asks.map(({ state }) => state.name)).toEqual(['settled']);
});

test('nobody is asked for a run that nobody attends', async () => {
  const on = new Starting(loose);
  on.core.dispatch({ type: 'turn.cancel', turn: 't', by: 'alice' });
  on.core.dispatch({
    type: 'turn.submit',
    turn: 'u',
    claude: 'c',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'hi',
    meta: { unattended: 'cron' },
  });
  on.core.dispatch({ type: 'prompt.failed', turn: 't', code: 'interrupted', detail: '', retry: false });
  on.menu.becomes(harmless);
  await on.pass(10_000);
  expect(on.asks).toMatchObject([{ turn: 'u', state: { name: 'settled', outcome: 'superseded' } }]);
  expect([on.menu.keys, on.stuck]).toEqual([[], 1]);
});

test('what a rule is stricter about only the operator answers', async () => {
  const on = new Starting(harmless, { judge: () => ({ decision: 'deny', why: 'rule 1' }) });
  await on.pass(4000);
  expect(on.asked).toMatchObject({ needs: 'operator', rule: 'rule 1' });
});
