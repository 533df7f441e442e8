// Rules of the configuration, between a hub that lends tools and the simulated Claude.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mainChat } from '../../support/main-chat.ts';
import { Home } from '../support/program.ts';

const policy = [
  { command: 'rm', decision: 'deny', reason: 'nothing is removed here' },
  { tool: 'exec', command: 'date', decision: 'allow' },
  { tool: 'Bash', command: 'echo', decision: 'allow' },
  { tool: 'exec', decision: 'allow', session: 'nobody' },
];
let home: Home;
beforeEach(() => {
  home = new Home();
  home.configure({ policy });
});
afterEach(() => home[Symbol.asyncDispose]());

async function hub(args: string[] = []): Promise<(text: string) => Promise<string>> {
  const bridge = await home.up(args.length === 0 ? {} : { args });
  const client = mainChat({ url: bridge.at.url, token: readFileSync(bridge.at.token_file, 'utf8').trim() });
  return async (text) => (await client.say(text)) ?? '';
}

test('a lent tool asks before it reaches the hub, and a rule lets it through or denies it in words', async () => {
  const say = await hub();
  const question = await say('[[tool:exec {"command":"uptime"}]]');
  expect(question).toContain('uptime');
  expect(question).not.toContain('ran in the hub');
  const [, code] = /`yes ([a-km-z]{5})/.exec(question) ?? [];
  expect(await say(`yes ${code}`)).toContain('exec answered: exec ran in the hub');

  expect(await say('[[tool:exec {"command":"date"}]]')).toContain('exec answered: exec ran in the hub');
  expect(await say('[[tool:exec {"command":"date; rm x"}]]')).toContain('nothing is removed here');
  expect(await say('[[tool:read {"path":"/x"}]]')).toContain('read answered: read ran in the hub');
});

test('Claude Code’s own tools are allowed and denied before they ask', async () => {
  const say = await hub();
  expect(await say('[[bash:echo allowed-$((40+2))]]')).toContain('allowed-42');
  expect(await say("[[bash:'r'm x]]")).toContain('Denied by the policy (rule 1): nothing is removed here.');
  expect(await say('[[bash:touch y]]')).toMatch(/Reply `yes/);
});

test('policy test says which rule decides, and doctor which one never does', async () => {
  const tried = (...args: string[]) => home.run(['policy', 'test', 'notes', ...args]);
  expect(await tried('Bash', '/bin/rm x')).toMatchObject({
    code: 5,
    stdout: 'deny: rule 1 (deny): nothing is removed here',
  });
  expect(await tried('exec', 'date')).toMatchObject({ code: 0, stdout: 'allow: rule 2 (allow)' });
  expect(await tried('write', '{"path":"x"}')).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^ask: /),
  });
  const fields = await tried('write', '{"path":"x","content":"y"}');
  expect(fields.stdout.split('\n').slice(1)).toEqual([
    '',
    'FIELD    MEANING  COVERED BY',
    'path     path     not covered: no rule allows this tool',
    'content  text     not covered: no rule allows this tool',
  ]);
  const { stdout } = await tried(
    'Bash',
    '$X',
    '--json',
    '--unattended',
    '--sender',
    'telegram:1',
    '--door',
    'openai',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    decision: 'ask',
    rule: 1,
    reason: 'nothing is removed here',
    fields: [{ field: 'command', meaning: 'command', rule: null, why: expect.any(String) }],
  });

  home.configure({ policy: [{ tool: 'exec', decision: 'allow' }, ...policy] });
  const { checks } = JSON.parse((await home.command('doctor', '--json')).stdout) as { checks: object[] };
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'policy',
      status: 'warning',
      message: expect.stringMatching(/^Rule 3: it never decides/),
    }),
  );
});
