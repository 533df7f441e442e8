// What the real Claude Code shows to a bridge: its questions at the start, its prompt, its hooks, its tools, and the
// names that its program holds.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  curlConfig,
  curlConfigFile,
  launchSettings,
} from '../../../src/bridge/claude/launch/launch-settings.ts';
import { pinnedSettings } from '../../../src/bridge/claude/launch/pinned-settings.ts';
import { readScreen } from '../../../src/bridge/claude/screen/screen-reader.ts';
import { mcpBackgroundMs, namesIn } from '../../recorded/program-names.ts';
import { peers, type Recording } from '../../recorded/recording.ts';
import { maskedScreen } from '../../recorded/screen.ts';
import { shapeOf } from '../../recorded/shape.ts';
import { until } from '../../support/until.ts';
import { type HookLog, hookLog } from './hook-log.ts';
import { isolatedHome } from './isolated-home.ts';
import { type Offer, offerIn } from './offer.ts';
import { versionOf } from './peers.ts';
import { programSources } from './read-program.ts';
import { recordedModel } from './recorded-model.ts';
import { type Start, type Started, startClaude, starts } from './starts.ts';

/** A screen on which nothing was drawn for so long is finished, milliseconds. Only one that was not recorded waits for it. */
const quietMs = 1_500;

/** Starts that say something of Claude Code's defaults, and that the bridge never makes. */
const ownStarts: [name: string, start: Start][] = [
  ['a session without a permission mode', { dialog: undefined, anyMode: true }],
  [
    'a user whose settings name the manual mode',
    { dialog: undefined, anyMode: true, userSettings: { permissions: { defaultMode: 'manual' } } },
  ],
];

/** Events that the bridge does not ask for, and to which an answer without words changes nothing. */
const moreEvents = [
  'InstructionsLoaded',
  'PostToolBatch',
  'SubagentStart',
  'SubagentStop',
  'UserPromptExpansion',
];

/** @param known screens of an earlier recording: what looks like them is finished at once */
export async function recordClaude(known: Recording['screens']): Promise<Recording> {
  const screens: Recording['screens'] = {};
  for (const [name, start] of [...starts, ...ownStarts]) {
    await using started = await startClaude(start);
    screens[name] = await finished(started, known[name]);
  }
  const sources = programSources();
  const seen = await liveOneThrough(async (started, name) => {
    screens[name] = await finished(started, known[name]);
  });
  return {
    version: versionOf(peers['claude-code']),
    tools: seen.tools,
    shapes: { ...shapesOf(seen.hooks), ...seen.shapes },
    screens,
    names: { ...namesIn(sources), ...seen.names },
    defaults: {
      ...seen.defaults,
      'time until an MCP call goes to the background': `${mcpBackgroundMs(sources)} ms`,
    },
  };
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
): Promise<Offer & { hooks: HookLog['events'] }> {
  await using files = await isolatedHome('hooks');
  await using hooks = await hookLog();
  await writeFile(join(files.path, curlConfigFile), curlConfig('any'));
  const settings = JSON.stringify(allSettings(files.path, hooks.url));
  await using started = await startClaude({ dialog: undefined, args: ['--settings', settings] });
  const { claude, api, home } = started;
  const box = () => readScreen(claude.rows, claude.rows).box;
  const count = (event: string) => hooks.events.filter(({ hook_event_name: name }) => name === event).length;
  const heard = (event: string, times = 1) =>
    until(`${event}, ${times} times`, () => count(event) >= times, 30_000);
  const submit = async (text: string) => {
    await until('an empty prompt', () => box() === '', 30_000);
    claude.paste(text);
    await until('the text in the prompt', () => box() === text);
    claude.type('\r');
  };
  const turn = async (text: string) => {
    const stops = count('Stop');
    await submit(text);
    await heard('Stop', stops + 1);
  };
  const model = recordedModel(api);

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
  await submit('ask');
  await heard('Notification', 3);
  await look(started, 'a question of Claude');
  claude.type('\r');
  await heard('Stop', 2);
  await turn('use an agent');
  model.agent.open();
  await heard('SubagentStop');
  // What the agent brought is told in a turn of its own.
  await heard('Stop', 4);
  await turn('load tools');
  await submit('/compact');
  await heard('PostCompact');
  await submit('/exit');
  await heard('SessionEnd');
  model.thinking.open();
  return { hooks: hooks.events, ...offerIn(api, home.path, hooks.events) };
}

/** What the bridge asks for, and the other events. */
function allSettings(dir: string, url: string): object {
  const target = { hooksUrl: url, dir, poster: 'curl', nodePath: process.execPath, policed: false } as const;
  const pinned = pinnedSettings({ mode: 'manual', sandbox: {}, env: {} });
  const ours = launchSettings(target, pinned);
  const listen = [{ hooks: [{ type: 'http', url, timeout: 5 }] }];
  const more = Object.fromEntries(moreEvents.map((event) => [event, listen]));
  return { ...ours, hooks: { ...more, ...(ours.hooks as object) } };
}

/** It is told many times, and at first with nothing in it: the first whole one is the same each time. */
const isFullStatus = ({ context_window: used }: HookLog['events'][number]) => Boolean(used?.current_usage);

function shapesOf(events: HookLog['events']): Recording['shapes'] {
  const byName = Object.groupBy(events, ({ hook_event_name: name, tool_name: tool, agent_id: agent }) =>
    ['hook', name, tool, agent && 'of an agent'].filter(Boolean).join(' '),
  );
  const { hook: statusLines = [], ...hooks } = byName;
  const all = { ...hooks, 'status line': statusLines.filter(isFullStatus).slice(0, 1) };
  return Object.fromEntries(
    Object.entries(all)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      // What the model wrote is the test's own.
      .map(([name, samples = []]) => [name, shapeOf(samples, ['tool_input', 'tool_calls[].tool_input'])]),
  );
}
