// The tools of these tests, proved without the bridge: a failure here is the harness's, not the product's.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Pty } from '../support/pty.ts';
import { until } from '../support/until.ts';
import { answerFirstRun, claudeEnv } from './support/claude-home.ts';
import { hookLog } from './support/hook-log.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { MessagesApi } from './support/messages-api.ts';
import { claudePath } from './support/peers.ts';
import { claudePids } from './support/processes.ts';

test('the real Claude Code reports its start, takes a typed prompt and shows what the scripted model says', async () => {
  await using home = await isolatedHome('claude');
  const cwd = await home.directory('work/trusted');
  await answerFirstRun(home.path, [cwd]);
  await using api = await MessagesApi.start();
  api.on('ping', (answer) => answer.text('pong from the script'));
  await using hooks = await hookLog();
  const session = randomUUID();
  const args = ['--session-id', session, '--permission-mode', 'manual', '--settings', hooks.settings];
  await using claude = new Pty([claudePath(), ...args], {
    cwd,
    env: claudeEnv(home.path, api.url),
    cols: 120,
    rows: 40,
  });

  await until(
    'SessionStart',
    () => hooks.events.some((event) => event.hook_event_name === 'SessionStart'),
    30_000,
  );
  await until('the prompt row', () => claude.screen.includes('❯'), 30_000);
  claude.type('\x1b[200~ping\x1b[201~\r');
  const stop = () => hooks.events.find((event) => event.hook_event_name === 'Stop');
  await until('Stop and the text', () => stop() && hooks.events.length >= 4, 30_000);

  const names = hooks.events.map((event) => String(event.hook_event_name));
  expect(names.slice(0, 2)).toEqual(['SessionStart', 'UserPromptSubmit']);
  // They travel on connections of their own: either may be the first.
  expect(names.slice(2).toSorted()).toEqual(['MessageDisplay', 'Stop']);
  expect(stop()).toMatchObject({
    session_id: session,
    last_assistant_message: 'pong from the script',
  });
  expect(api.turns).toMatchObject([{ newest: 'ping', session }]);
  // The screen follows the hooks by some frames.
  await until('the answer on screen', () => claude.screen.includes('pong from the script'));
  expect(await claudePids(session)).toEqual([claude.pid]);
});
