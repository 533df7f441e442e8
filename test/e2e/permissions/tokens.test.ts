// Where the tokens of a whole running bridge are, and which doors each of them opens.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { onlyHookDoor } from '../support/hook-door.ts';
import { Home } from '../support/program.ts';

const env = { SYNTHESIS_PERMISSION_MODE: 'bypassPermissions' };

/** The token of the hub, and the one that the only Claude Code was started with. */
function tokensOf(home: Home): { hub: string; run: string } {
  const run = onlyHookDoor(home.state).token;
  const hub = readFileSync(join(home.state, 'token'), 'utf8').trim();
  expect([hub.length, run.length]).toEqual([43, 43]);
  return { hub, run };
}

test('T4: tokens are in their files alone: in no log, journal or command line, and Claude’s Bash has its own only', async () => {
  await using home = new Home();
  const bridge = await home.up({ env });
  await bridge.ask('s', '[[bash:env > env.txt]]');
  const { hub, run } = tokensOf(home);
  const auth = (authorization: string) => ({ method: 'POST', headers: { authorization } });
  await fetch(`${bridge.at.url}/v1/responses?token=${hub}`, auth('Bearer guess'));
  await fetch(onlyHookDoor(home.state).url('Stop'), auth(`Bearer ${hub}`));
  await fetch(onlyHookDoor(home.state).url('Stop'), auth(`Bearer ${run}`));

  const inEnvironment = readFileSync(join(home.cwd, 'env.txt'), 'utf8').split('\n');
  expect(inEnvironment.filter((line) => line.includes(hub))).toEqual([]);
  expect(inEnvironment.filter((line) => line.includes(run))).toEqual([`SYNTHESIS_BRIDGE_TOKEN=${run}`]);
  const lines = readdirSync('/proc').map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
  expect(lines.some((line) => line.includes(home.state))).toBe(true);
  expect(lines.filter((line) => line.includes(hub) || line.includes(run))).toEqual([]);
  await bridge.end();
  const files = readdirSync(home.state, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const holders = files
    .filter((file) => {
      const content = readFileSync(join(file.parentPath, file.name));
      return content.includes(hub) || content.includes(run);
    })
    .map(({ name }) => name);
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['journal.db', 'bridge.log']));
  expect(holders.toSorted()).toEqual(['hook.curlrc', 'settings.json', 'token']);
  expect(bridge.stderr + JSON.stringify(bridge.lines)).not.toMatch(new RegExp(`${hub}|${run}`));
});

test('T17: the token of the hub opens /v1, that of a Claude Code its hooks and its tools, and neither the other', async () => {
  await using home = new Home();
  const bridge = await home.up({ env });
  await bridge.ask('s', 'hello');
  const { url } = bridge.at;
  const post = async (path: string, token: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    return (await fetch(new URL(path, url), { method: 'POST', headers, body: '{}' })).status;
  };
  const hello = async (token: string) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/bridge`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', openclaw_session: 's', claude_session: 'c', pid: 1, token }));
    const first = JSON.parse(String((await once(socket, 'message'))[0])) as { type: string; code?: string };
    socket.terminate();
    return first.code ?? first.type;
  };
  const routes = async (token: string) => [
    await post('/v1/chat/completions', token),
    await post('/v1/responses', token),
    await post('/hooks/Notification', token),
    await post(onlyHookDoor(home.state).url('Notification'), token),
    await post(new URL('/mcp', onlyHookDoor(home.state).url('Notification')).href, token),
    // It has no channel.
    await hello(token),
  ];
  const { hub, run } = tokensOf(home);
  expect(await routes(hub)).toEqual([400, 400, 404, 401, 401, 'unknown_session']);
  expect(await routes(run)).toEqual([401, 401, 404, 200, 200, 'unknown_session']);
  expect(await routes('guess')).toEqual([401, 401, 404, 401, 401, 'unknown_session']);
});
