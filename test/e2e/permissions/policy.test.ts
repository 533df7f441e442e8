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

test('policy fuzz says what would run unasked, as words, a table and JSON, and doctor points to it', async () => {
  home.configure({ policy: [] });
  expect(await home.run(['policy', 'fuzz'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('The policy has no rules'),
  });

  // The earlier rule lets all of Bash through.
  home.configure({
    policy: [
      { tool: 'Bash', decision: 'allow' },
      { command: 'rm', decision: 'deny' },
    ],
  });
  const found = await home.run(['policy', 'fuzz']);
  expect(found.code).toBe(7);
  expect(found.stdout).toMatch(/^RULE .*\n2 deny command rm +\d+ /);
  expect(found.stdout).toMatch(/\n2 +Bash +rm x +another path\n/);
  expect(found.stdout).toMatch(/\n… and \d+ more \(--all\)$/);
  expect(found.stderr).toContain('calls would run unasked; none was run.');
  expect(found.stderr).toContain('Not tried: rule 1: it names no command, path or host.');
  const whole = await home.run(['policy', 'fuzz', '--all']);
  expect(whole.stdout).toContain("\na shell's text: Another shell reads the command");
  expect(whole.stdout).not.toContain('(--all)');

  const { code, stdout } = await home.run(['policy', 'fuzz', '--json', '--session', 'notes']);
  const { session, unasked, rules, calls } = JSON.parse(stdout);
  expect(code).toBe(7);
  expect({ session, rules }).toMatchObject({
    session: 'notes',
    rules: [
      { rule: 1, tried: 0, not_tried: 'it names no command, path or host' },
      { rule: 2, decision: 'deny', command: 'rm', path: null, mode: 'manual', unasked, not_tried: null },
    ],
  });
  expect(calls).toHaveLength(unasked);
  expect(calls).toContainEqual({
    rule: 2,
    tool: 'Bash',
    input: { command: 'rm x' },
    kind: 'another path',
    by: 1,
  });

  home.configure({ policy: [{ command: 'rm', decision: 'deny' }] });
  const { checks } = JSON.parse((await home.command('doctor', '--json')).stdout) as { checks: object[] };
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'policy',
      status: 'ok',
      message: expect.stringContaining('synthesis policy fuzz'),
    }),
  );
});
