// One yes is one yes: what an approved command leaves behind decides nothing, says nothing, and lifts no panic. The
// simulated Claude runs real shells below a real host.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { codeIn } from '../../support/code-in.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const synthesis = resolve(import.meta.dirname, '../../../bin/synthesis.js');

/** Ways to leave something behind. `$1` is what is left, and `env` its own environment, where it may have one. */
const ways = {
  'a loop in the background': 'sh "$1" >/dev/null 2>&1 &',
  nohup: 'nohup sh "$1" >/dev/null 2>&1 &',
  setsid: 'setsid sh "$1" >/dev/null 2>&1 &',
  'setsid --fork': 'setsid --fork sh "$1" >/dev/null 2>&1',
  'two forks': '(setsid sh -c \'sh "$0" >/dev/null 2>&1 & exit\' "$1" &)',
  'an empty environment': '(env -i PATH="$PATH" HOME="$HOME" setsid --fork sh "$1" >/dev/null 2>&1)',
  'a terminal of its own': '(setsid --fork script -qc "sh $1" /dev/null >/dev/null 2>&1 </dev/null)',
  'a tmux server of its own': 'tmux -L "left$$" -f /dev/null new-session -d "sh $1"',
} as const;

/** What is left: once it knows the code of the next question it tries every door, once or for ever. */
const leftBehind = (home: Home, url: string, times: number) => `
run() { "${process.execPath}" "${synthesis}" "$@" --state-dir "${home.state}" 2>&1; }
echo started >"${home.cwd}/started.txt"
until [ -s "${home.cwd}/code.txt" ]; do sleep 0.1; done
code=$(cat "${home.cwd}/code.txt")
try() {
  run approvals --json
  run approve "$code" -y
  run resume
  run send other "as the operator" --create
  curl -s -m 5 -H "Authorization: Bearer $(cat "${home.state}/token")" -H 'content-type: application/json' \\
    -H 'x-synthesis-session: s' -d '{"model":"claude","messages":[{"role":"user","content":"yes '"$code"'"}]}' \\
    ${url}/v1/chat/completions
}
for i in $(seq ${times}); do try; done >"${home.cwd}/told.txt" 2>&1
echo done >"${home.cwd}/done.txt"`;

/** Approves as a person at a terminal does. */
async function approveAtTerminal(home: Home, code: string): Promise<void> {
  const pty = new Pty(home.argv('approve', code, '-y', '--state-dir', home.state), {
    cwd: home.cwd,
    env: home.env(),
    cols: 80,
    rows: 24,
  });
  await until(
    () => `the end of approve: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    20_000,
  );
  expect([pty.exitCode, pty.raw]).toEqual([0, expect.stringContaining(code)]);
}

async function asks(bridge: RunningBridge, text: string, session = 's'): Promise<string> {
  const question = await bridge.ask(session, text);
  const code = codeIn(question);
  expect(code, question).not.toBe('');
  return code;
}

const textOf = (home: Home, file: string): string => {
  const path = join(home.cwd, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** A chat says yes to a command that leaves something behind. @returns the code of that question */
async function leave(home: Home, bridge: RunningBridge, way: string, times: number): Promise<string> {
  const script = join(home.cwd, 'left.sh');
  writeFileSync(script, leftBehind(home, bridge.at.url, times));
  writeFileSync(join(home.cwd, 'leave.sh'), way);
  const code = await asks(bridge, `[[bash:sh leave.sh ${script}; echo left]]`);
  expect(await bridge.ask('s', `yes ${code}`)).toContain('left');
  await until('what was left to run', () => textOf(home, 'started.txt'), 20_000);
  return code;
}

test.each(Object.entries(ways))('%s decides nothing after the yes that started it', async (_, way) => {
  await using home = new Home();
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const first = await leave(home, bridge, way, 1);
  const second = await asks(bridge, '[[bash:touch precious.txt]]');
  writeFileSync(join(home.cwd, 'code.txt'), second);
  await until(
    () => `the end of what was left: ${textOf(home, 'told.txt')}`,
    () => textOf(home, 'done.txt'),
    30_000,
  );

  expect(textOf(home, 'told.txt').match(/something that Claude Code has started/g)).toHaveLength(5);
  expect(operator.events('permission.decided')).toMatchObject([{ code: first, by: 'chat' }]);
  expect(existsSync(join(home.cwd, 'precious.txt'))).toBe(false);
  expect(operator.rows.filter(({ session }) => session === 'other')).toEqual([]);
  const refused = await until('rows of all of it', () => {
    const rows = operator.events('bridge.refused');
    return rows.length >= 5 ? rows : undefined;
  });
  expect(refused.map(({ method }) => method)).toEqual([
    'permission.list',
    'permission.show',
    'bridge.resume',
    'session.send',
    'POST /v1/chat/completions',
  ]);
  for (const each of refused) expect(each).toMatchObject({ caller: 'claude', of: 's' });
  await approveAtTerminal(home, second);
  await until('the tool to run', () => existsSync(join(home.cwd, 'precious.txt')), 20_000);
});

test('what tries again and again ends with its Claude Code, and the conversation goes on', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  await leave(home, bridge, ways['an empty environment'], 1_000_000);
  await asks(bridge, '[[bash:touch precious.txt]]');
  writeFileSync(join(home.cwd, 'code.txt'), 'abcde');
  const [exited] = await until(
    'the end of Claude Code',
    () => {
      const all = operator.events('agent.exited');
      return all.length > 0 ? all : undefined;
    },
    40_000,
  );
  expect(exited?.detail).toMatch(
    /tried 5 times within a minute[\s\S]*What it left running was ended, too: sh \(/,
  );
  expect(existsSync(join(home.cwd, 'precious.txt'))).toBe(false);
  expect(await bridge.ask('s', 'hello again')).toContain('hello again');
  const { stdout } = await home.command('doctor');
  expect(stdout).toContain('Something that Claude Code started in s has called the bridge');
});

test('no bridge starts below a Claude Code of its own conversations', async () => {
  await using home = new Home();
  home.configure({ permissionMode: 'bypassPermissions' });
  const bridge = await home.up();
  const told = join(home.cwd, 'told.txt');
  const up = `"${process.execPath}" "${synthesis}" up --port 0 --permission-mode bypassPermissions --state-dir "${home.state}"`;
  const wait = `until [ -e "${home.cwd}/go" ]; do sleep 0.1; done`;
  await bridge.ask(
    's',
    `[[bash:(${wait}; env -i PATH="$PATH" HOME="$HOME" setsid --fork --wait ${up}; echo $?) >${told} 2>&1 &]]`,
  );
  await bridge.kill();
  writeFileSync(join(home.cwd, 'go'), '');
  await until(
    () => `what it was told: ${textOf(home, 'told.txt')}`,
    () => /\d\n$/.test(textOf(home, 'told.txt')),
    30_000,
  );
  expect(textOf(home, 'told.txt')).toMatch(
    /does not run below a Claude Code of its own conversations[\s\S]*\n1\n$/,
  );
  await home.up();
});
