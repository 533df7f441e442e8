// What the real Claude Code shows to a bridge: its questions at the start, its prompt, its hooks, its tools.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { curlConfig, curlConfigFile, hookSettings } from '../../../src/bridge/claude/launch/hook-settings.ts';
import { readScreen } from '../../../src/bridge/claude/screen/screen-reader.ts';
import { peers, type Recording } from '../../recorded/recording.ts';
import { maskedScreen } from '../../recorded/screen.ts';
import { shapeOf } from '../../recorded/shape.ts';
import { until } from '../../support/until.ts';
import { gate } from './gate.ts';
import { type HookLog, hookLog } from './hook-log.ts';
import { isolatedHome } from './isolated-home.ts';
import type { MessagesApi, Script } from './messages-api.ts';
import { versionOf } from './peers.ts';
import { type Started, startClaude, starts } from './starts.ts';

/** A screen on which nothing was drawn for so long is finished, milliseconds. Only one that was not recorded waits for it. */
const quietMs = 1_500;

/** @param known screens of an earlier recording: what looks like them is finished at once */
export async function recordClaude(known: Recording['screens']): Promise<Recording> {
  const screens: Recording['screens'] = {};
  for (const [name, start] of starts) {
    await using started = await startClaude(start);
    screens[name] = await finished(started, known[name]);
  }
  const { hooks, tools } = await liveOneThrough(async (started, name) => {
    screens[name] = await finished(started, known[name]);
  });
  return { version: versionOf(peers['claude-code']), tools, shapes: shapesOf(hooks), screens };
}

async function finished({ claude, home }: Started, known: string[] | undefined): Promise<string[]> {
  const names = { [home.path]: '‹home›', [`claude-${process.getuid?.()}`]: 'claude-‹user›' };
  const look = () => maskedScreen(claude.rows, names);
  let seen = '';
  let since = performance.now();
  await until(
    'a screen that stays',
    () => {
      const now = look().join('\n');
      if (now !== seen) [seen, since] = [now, performance.now()];
      return now === known?.join('\n') || (now !== '' && performance.now() - since > quietMs);
    },
    30_000,
  );
  return look();
}

/** One session from its start to its end, with everything in it that a bridge hears of. */
async function liveOneThrough(
  look: (started: Started, name: string) => Promise<void>,
): Promise<{ hooks: HookLog['events']; tools: string[] }> {
  await using files = await isolatedHome('hooks');
  await using hooks = await hookLog();
  await writeFile(join(files.path, curlConfigFile), curlConfig('any'));
  const target = {
    hooksUrl: hooks.url,
    dir: files.path,
    poster: 'curl',
    nodePath: process.execPath,
  } as const;
  const settings = JSON.stringify(hookSettings({ ...target, policed: false }));
  await using started = await startClaude({ dialog: undefined, args: ['--settings', settings] });
  const { claude, api } = started;
  const box = () => readScreen(claude.rows, claude.rows).box;
  const heard = (event: string, times = 1) =>
    until(
      `${event}, ${times} times`,
      () => hooks.events.filter(({ hook_event_name: name }) => name === event).length >= times,
      30_000,
    );
  const submit = async (text: string) => {
    await until('an empty prompt', () => box() === '', 30_000);
    claude.paste(text);
    await until('the text in the prompt', () => box() === text);
    claude.type('\r');
  };
  const never = script(api);

  await submit('use tools');
  // It comes late: by then the dialog takes keys.
  await heard('Notification');
  await look(started, 'a permission question');
  claude.type('\r');
  await heard('PostToolUseFailure');
  await heard('Notification', 2);
  claude.type('\r');
  await heard('Stop');
  await until('a status line with what the turn used', () => hooks.events.some(isFullStatus));
  await submit('fail');
  await heard('StopFailure');
  await submit('think');
  // A turn that has said nothing yet is taken back without a word.
  await claude.shows('I begin');
  claude.type('\x1b');
  await until('the interruption', () => readScreen(claude.rows, claude.rows).interrupted);
  await look(started, 'an interrupted turn');
  await submit('/compact');
  await heard('PostCompact');
  await submit('/exit');
  await heard('SessionEnd');
  never.open();
  const tools = api.turns[0]?.body.tools?.map(({ name }) => name).sort() ?? [];
  return { hooks: hooks.events, tools };
}

const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);

/** A model that does what a message says. @returns what the answer to `think` waits for */
function script(api: MessagesApi): { open(): void } {
  const calls: [tool: string, input: unknown][] = [
    ['Bash', { command: 'touch proof.txt', description: 'Make a file' }],
    ['Bash', { command: 'cat missing.txt', description: 'Read a file' }],
    ['Write', { file_path: 'written.txt', content: 'written\n' }],
  ];
  // The last line: a message follows the unanswered one before it, and a compaction has many words of its own.
  const on = (words: string, say: Script) => api.on(({ newest }) => lastLine(newest) === words, say);
  on('use tools', (answer, { body }) => {
    const made = JSON.stringify(body.messages).split('"tool_result"').length - 1;
    const call = calls[made];
    if (call) answer.tool(...call);
    else answer.text('done');
  });
  on('fail', (answer) => answer.fail(400, 'invalid_request_error', 'no'));
  const never = gate();
  on('think', async (answer) => {
    answer.text('I begin\n');
    await never.opened;
  });
  return never;
}

/** It is told many times, and at first with nothing in it: the first whole one is the same each time. */
const isFullStatus = ({ context_window: used }: HookLog['events'][number]) => Boolean(used?.current_usage);

function shapesOf(events: HookLog['events']): Recording['shapes'] {
  const byName = Object.groupBy(events, ({ hook_event_name: name, tool_name: tool }) =>
    ['hook', name, tool].filter(Boolean).join(' '),
  );
  const { hook: statusLines = [], ...hooks } = byName;
  const all = { ...hooks, 'status line': statusLines.filter(isFullStatus).slice(0, 1) };
  return Object.fromEntries(
    Object.entries(all)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      // What the model wrote is the test's own.
      .map(([name, samples = []]) => [name, shapeOf(samples, ['tool_input'])]),
  );
}
