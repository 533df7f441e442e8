// What people and Claude write is in the journal and in no log.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookDoors } from '../support/hook-door.ts';
import { Home } from '../support/program.ts';

/** Unlike anything the bridge says. */
const marker = 'quokkaberry';

/** A message, an answer, a tool, a failure and a question, and at every door something with the marker that it cannot read. */
async function writeEverywhere(home: Home): Promise<{ log: string; stderr: string }> {
  const bridge = await home.up({ env: { SYNTHESIS_PERMISSION_MODE: 'bypassPermissions' } });
  const { url } = bridge.at;
  expect(await bridge.ask('s', `${marker} [[bash:echo ${marker}]] [[say:${marker}]]`)).toContain(marker);
  await bridge.ask('s', `[[fail:${marker}]]`).catch(() => {});
  await bridge.ask('other', `[[exit:${marker}]] ${marker}`).catch(() => {});
  const post = async (path: string, token: string, body: string, headers = {}) => {
    const type = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    await fetch(new URL(path, url), { method: 'POST', body, headers: { ...type, ...headers } });
  };
  const hub = readFileSync(join(home.state, 'token'), 'utf8').trim();
  const broken = [`{"${marker}": ${marker}}`, `"${marker}`, `{"messages":"${marker}","input":"${marker}"}`];
  const doors = hookDoors(home.state);
  for (const body of broken) {
    await post('/v1/chat/completions', hub, body);
    await post('/v1/responses', hub, body);
    for (const door of doors)
      for (const hook of ['Stop', 'Unknown']) await post(door.url(hook), door.token, body).catch(() => {});
  }
  const utility = {
    model: 'claude',
    messages: [
      { role: 'system', content: marker },
      { role: 'user', content: `[[fail:${marker}]]` },
    ],
  };
  await post('/v1/chat/completions', hub, JSON.stringify(utility), { 'x-openclaw-provider': 'synthesis' });
  await bridge.end();
  return { log: readFileSync(join(home.state, 'bridge.log'), 'utf8'), stderr: bridge.stderr };
}

test('what people and Claude write is not in bridge.log, at any level', async () => {
  await using home = new Home();
  home.configure({ log: { level: 'debug' } });
  const { log, stderr } = await writeEverywhere(home);
  // It did say something of all this.
  for (const words of ['"hook"', 'a hook could not be read', 'a utility call got no answer'])
    expect(log).toContain(words);
  expect(log.split('\n').filter((line) => line.includes(marker))).toEqual([]);
  expect(stderr).not.toContain(marker);
});

test('unless the configuration asks for texts', async () => {
  await using home = new Home();
  home.configure({ log: { texts: true } });
  const { log } = await writeEverywhere(home);
  expect(log).toContain(`could not answer: API Error: ${marker}`);
});
