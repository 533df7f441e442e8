import { expect, test } from 'vitest';
import { probeBox } from '../../../../src/bridge/claude/process/probe-box.ts';
import { readScreen } from '../../../../src/bridge/claude/screen/screen-reader.ts';
import { StartScreen } from './start-screen.ts';

/** Pastes of small letters and backspaces: no Enter, no command, no choice. */
const harmless = /^(?:\x1b\[200~\n?[a-z]+\x1b\[201~|\x7f)+$/;

test('a mark tells how the prompt is drawn, and is gone again', async () => {
  const run = new StartScreen();
  const { result, ms } = await run.over(probeBox(run));
  expect(result).toEqual({ kind: 'learned' });
  expect(ms).toBeLessThan(300);
  expect(run.typed).toMatch(harmless);
  expect(run.text).toBe('');
  run.text = 'good\nmorning';
  const rows = run.terminal.rows();
  expect(readScreen(rows, rows, run.layout).box).toBe('good\nmorning');
});

test.each<[string, (run: StartScreen) => Partial<StartScreen>, string]>([
  ['does not show it', () => ({ draw: () => [' Claude Code', '', '›'] }), 'did not appear'],
  [
    'shows it in two places',
    () => ({ draw: (text) => [` title: ${text}`, '', `› ${text}`.trimEnd()] }),
    'cannot be told',
  ],
  [
    'shows one line alone',
    () => ({ draw: (text) => ['', `› ${text.split('\n')[0]}`] }),
    'does not show a second line',
  ],
  [
    'keeps it',
    (run) => {
      const { onKeys } = run;
      return { onKeys: (keys) => (keys.includes('\x7f') ? undefined : onKeys(keys)) };
    },
    'could not be deleted',
  ],
  [
    'shows words of its own in an empty prompt',
    (run) => {
      const { draw } = run;
      return { draw: (text) => draw(text || 'Try something') };
    },
    'empty prompt',
  ],
])('a release that %s is unknown within three seconds', async (_title, change, why) => {
  const run = new StartScreen();
  Object.assign(run, change(run));
  const { result, ms } = await run.over(probeBox(run));
  expect(result).toEqual({ kind: 'unknown', why: expect.stringContaining(why) });
  // What the quiet before it takes is left.
  expect(ms).toBeLessThan(2300);
  expect(run.layout).toBeUndefined();
  expect(run.typed).toMatch(harmless);
});

test('what was typed is deleted where it was not shown, too', async () => {
  const run = new StartScreen();
  run.draw = () => [' Claude Code'];
  await run.over(probeBox(run));
  expect(run.text).toBe('');
});

test.each<[string, (run: StartScreen) => Partial<StartScreen>]>([
  ['the usual box', () => ({ view: { box: '' } })],
  ['a dialog', () => ({ dialog: { id: 'unknown', failure: 'start_dialog', words: '' } })],
  ['the end', () => ({ stopping: 'enough' })],
])('%s that comes meanwhile is no unknown prompt', async (_title, come) => {
  const run = new StartScreen();
  run.draw = () => [' Claude Code'];
  run.onKeys = () => void Object.assign(run, come(run));
  const { result, ms } = await run.over(probeBox(run));
  expect(result).toEqual({ kind: 'settled' });
  expect(ms).toBeLessThan(100);
});
