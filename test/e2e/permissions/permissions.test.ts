// Permission questions of the simulated Claude through the whole program: both roads, every door, what is refused.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { onlyHookDoor } from '../support/hook-door.ts';
import { Home, type RunningBridge, simulatedClaude } from '../support/program.ts';

const withoutHook = resolve(import.meta.dirname, '../fixtures/claude-without-permission-hook.js');

/** How a question of Claude's reaches the bridge. */
const roads = {
  'the hook alone': ['--claude', simulatedClaude, '--delivery', 'terminal'],
  'hook and relay together': ['--claude', simulatedClaude, '--delivery', 'channel'],
  'the relay alone': ['--claude', withoutHook, '--delivery', 'channel'],
};

class Scene implements AsyncDisposable {
  readonly home: Home;
  readonly operator: OperatorSocket;
  bridge: RunningBridge;

  private constructor(home: Home, bridge: RunningBridge, operator: OperatorSocket) {
    this.home = home;
    this.bridge = bridge;
    this.operator = operator;
  }

  static async open(args = roads['the hook alone'], config?: object): Promise<Scene> {
    const home = new Home();
    if (config) {
      const folder = join(home.path, '.config/synthesis');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    }
    const bridge = await home.up({ args });
    return new Scene(home, bridge, await OperatorSocket.open(home.state));
  }

  say(text: string, session = 's'): Promise<string> {
    return this.bridge.ask(session, text);
  }

  /** Lets Claude ask to write a file. @returns the code of the question */
  async asks(file: string, session = 's'): Promise<string> {
    const question = await this.say(this.write(file), session);
    const code = codeIn(question);
    expect(code, question).not.toBe('');
    return code;
  }

  write(file: string): string {
    return `[[write:${join(this.home.cwd, file)} hello]]`;
  }

  made(file: string): boolean {
    return existsSync(join(this.home.cwd, file));
  }

  /** Types of the events of one question, oldest first. */
  record(code: string): string[] {
    return this.operator.rows
      .filter(({ event }) => event.code === code)
      .map(({ event }) => event.type.replace('permission.', ''))
      .filter((type) => type !== 'told');
  }

  settled(code: string): Promise<Record<string, unknown>> {
    return until(`the end of ${code}`, () =>
      this.operator.events('permission.settled').find((event) => event.code === code),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.operator[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
  }
}

const codeIn = (text: string) => [...text.matchAll(/`(?:yes|no) ([a-km-z]{5})/g)].at(-1)?.[1] ?? '';

describe.each(Object.entries(roads))('by %s', (road, args) => {
  test('one question is one record, whichever door answers it', async () => {
    await using scene = await Scene.open(args);
    const { home } = scene;
    const chat = await scene.asks('chat');
    expect(scene.made('chat')).toBe(false);
    expect(await scene.say(`yes ${chat}`)).toMatch(/chat/);
    expect(scene.made('chat')).toBe(true);

    const denied = await scene.asks('denied');
    await scene.say(`no ${denied}`);
    expect(scene.made('denied')).toBe(false);

    const operator = await scene.asks('operator');
    const { stdout } = await home.command('approvals');
    expect(stdout).toMatch(new RegExp(`^${operator}  Write  s  \\(10m left\\)\n    Claude asks`));
    expect(stdout).toContain('"content": "hello"');
    expect(stdout.includes('--scope session also: accept edits')).toBe(road !== 'the relay alone');
    expect((await home.command('approve', operator)).code).toBe(0);
    await until('the file', () => scene.made('operator'));
    expect(await scene.say('and?')).toContain('was allowed by the operator');

    const refused = await scene.asks('refused');
    expect((await home.command('deny', refused, '--reason', 'not now')).code).toBe(0);
    await scene.settled(refused);
    expect(scene.made('refused')).toBe(false);

    const keys = await scene.asks('keys');
    await scene.operator.press('s', '1. Yes', '1');
    await until('the file', () => scene.made('keys'));
    expect(await scene.settled(keys)).toMatchObject({ outcome: 'superseded' });

    const escaped = await scene.asks('escaped');
    await scene.operator.press('s', '1. Yes', '\x1b');
    expect(await scene.settled(escaped)).toMatchObject({ outcome: 'superseded' });
    expect(scene.made('escaped')).toBe(false);
    // Of an Esc that no hook tells only the end of the turn is known.
    expect(await scene.say(`yes ${escaped}`)).toMatch(/Already answered|This question is over/);

    await scene.settled(operator);
    const decided = ['asked', 'decided', 'sent', 'settled'];
    for (const code of [chat, denied, operator, refused]) expect(scene.record(code)).toEqual(decided);
    for (const code of [keys, escaped]) expect(scene.record(code)).toEqual(['asked', 'settled']);
    expect(scene.operator.events('permission.asked')).toHaveLength(6);
    // Where the hook takes part the whole input is known, and so is the call that was asked about.
    for (const asked of scene.operator.events('permission.asked')) {
      expect(asked.input).toMatchObject({ content: 'hello' });
      if (road !== 'the relay alone') expect(asked.tool_use).toBeTypeOf('string');
    }
  });
});

test('what the relay cut off is allowed by nobody who cannot see it', async () => {
  await using scene = await Scene.open(roads['the relay alone']);
  const question = await scene.say(`[[write:${join(scene.home.cwd, 'long')} ${'x'.repeat(300)}]]`);
  expect(question).toContain('only the beginning');
  const code = codeIn(question);
  expect(await scene.say(`yes ${code}`)).toContain('a chat cannot allow it');
  const session = await scene.home.command('approve', code, '--scope', 'session');
  expect([session.code, session.stderr]).toEqual([2, expect.stringContaining('only be allowed once')]);
  expect(scene.record(code)).toEqual(['asked']);
  expect((await scene.home.command('approve', code)).code).toBe(0);
  await until('the file', () => scene.made('long'));
});

test('several questions of Claude are answered in one message', async () => {
  await using scene = await Scene.open();
  const option = (label: string) => ({ label, description: '' });
  const questions = [
    { question: 'Which size?', header: 'Size', options: [option('S'), option('L')], multiSelect: false },
    {
      question: 'Which fruit?',
      header: 'Fruit',
      options: [option('Fig'), option('Kiwi'), option('Pear')],
      multiSelect: true,
    },
  ];
  const asked = await scene.say(`[[tool:AskUserQuestion ${JSON.stringify({ questions })}]]`);
  expect(asked).toContain('Which size?');
  expect(asked).toContain('several may be chosen');
  const code = codeIn(asked);
  expect(await scene.say(`yes ${code}`)).toContain('needs more than a yes');
  expect(await scene.say(`yes ${code} 2; 1,3`)).toContain('Fig, Pear');
  const again = codeIn(await scene.say(`[[tool:AskUserQuestion ${JSON.stringify({ questions })}]]`));
  expect((await scene.home.command('approve', again)).code).toBe(2);
  expect((await scene.home.command('approve', again, '--answer', 'S; my own words')).code).toBe(0);
  expect(await scene.say('and?')).toContain('my own words');
});

test('five wrong codes deny the question, and an old or foreign code is none', async () => {
  await using scene = await Scene.open();
  const foreign = await scene.asks('elsewhere', 'other');
  const code = await scene.asks('file');
  expect(await scene.say(`yes ${foreign}`)).toContain('belongs to another conversation');
  for (let tries = 1; tries < 4; tries += 1)
    expect(await scene.say('yes zzzzz')).toContain(`\`${code}\` waits`);
  expect(await scene.say('yes zzzzz')).toContain('answered with no');
  expect(await scene.say(`yes ${code}`)).toMatch(/denied by the bridge: too many wrong codes/);
  expect(scene.made('file')).toBe(false);
  expect(scene.record(foreign)).toEqual(['asked']);
});

test('a question that nobody answers is denied, and both ends are told', async () => {
  await using scene = await Scene.open(roads['hook and relay together'], {
    timeouts: { permissionMs: 2_000 },
  });
  const code = await scene.asks('file');
  await scene.settled(code);
  const next = await scene.say('and?');
  expect(next).toContain(`\`${code}\` (Write) was denied because nobody answered in time`);
  expect(next).toContain('Denied: nobody answered in time.');
  expect(scene.made('file')).toBe(false);
});

test('a question whose Claude Code was gone with the bridge answers to nobody', async () => {
  await using scene = await Scene.open();
  const code = await scene.asks('file');
  await scene.bridge.kill();
  await scene.home.killHosts();
  scene.bridge = await scene.home.up();
  await using after = await OperatorSocket.open(scene.home.state);
  await until('the record', () => after.events('permission.settled')[0]);
  expect(after.events('permission.settled')).toMatchObject([
    { code, outcome: 'expired', detail: 'the bridge restarted' },
  ]);
  expect((await scene.home.command('approve', code)).stderr).toContain('This question is over');
  expect(await scene.say(`yes ${code}`)).toContain('was closed: the bridge restarted');
  expect(scene.made('file')).toBe(false);
});

describe('who holds a token of Claude’s own', () => {
  const door = (home: Home) => onlyHookDoor(home.state);

  test('decides nothing on any route, and neither does the hub’s token on theirs', async () => {
    await using scene = await Scene.open();
    const code = await scene.asks('file');
    const { url, token_file } = scene.bridge.at;
    const tokens = {
      session: door(scene.home).token,
      hub: readFileSync(token_file, 'utf8').trim(),
      none: '',
    };
    expect(tokens.session).not.toBe('');
    const verdict = { model: 'claude', messages: [{ role: 'user', content: `yes ${code}` }] };
    const decision = { hookSpecificOutput: { decision: { behavior: 'allow' } }, code, verdict: 'allow' };
    const post = async (token: string, path: string, body: object) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-synthesis-session': 's',
          ...(token !== '' && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      await response.text();
      return response.status;
    };
    for (const token of [tokens.session, tokens.none])
      for (const path of ['/v1/chat/completions', '/v1/responses'])
        expect(await post(token, path, verdict), path).toBe(401);
    const hooks = [
      'PermissionRequest',
      'PreToolUse',
      'UserPromptSubmit',
      'Notification',
      'StatusLine',
      'approve',
    ];
    for (const hook of hooks) {
      expect(await post(tokens.session, `/hooks/${hook}`, decision), hook).toBe(404);
      const said = async (token: string) => (await door(scene.home).post(hook, decision, token)).status;
      expect(await said(tokens.hub), hook).toBe(401);
      expect(await said(tokens.none), hook).toBe(401);
      // Claude's own token is taken there, for what Claude may say: no verdict is among it.
      expect(await said(tokens.session), hook).toBe(200);
    }
    for (const token of Object.values(tokens)) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/bridge`);
      const closed = new Promise((done) => socket.once('close', done));
      await new Promise((done) => socket.once('open', done));
      const hello = {
        type: 'hello',
        openclaw_session: 's',
        claude_session: 'x',
        pid: 1,
        token: token || 'x',
      };
      socket.send(JSON.stringify(hello));
      socket.send(JSON.stringify({ type: 'permission_reply', request_id: code, behavior: 'allow' }));
      socket.send(
        JSON.stringify({ type: 'inbound_message', request_id: 'm', content: `yes ${code}`, meta: {} }),
      );
      setTimeout(() => socket.close(), 200).unref();
      await closed;
    }
    expect(scene.record(code)).toEqual(['asked']);
    expect(scene.made('file')).toBe(false);
    expect(await scene.say(`yes ${code}`)).toContain('file');
    expect(scene.made('file')).toBe(true);
  });

  test('can put a question that nobody asked, which ends with the turn', async () => {
    await using scene = await Scene.open();
    const turn = scene.say('[[wait:4000]] [[say:done]]');
    await until('the turn', () => scene.operator.events('turn.running')[0]);
    const ghost = door(scene.home).post('PermissionRequest', {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    });
    const code = codeIn(await turn);
    expect(await scene.settled(code)).toMatchObject({ outcome: 'superseded' });
    expect(await (await ghost).json()).toEqual({});
    expect(await scene.say('next')).toContain('done');
  });
});
