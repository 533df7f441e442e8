// Everything that can go wrong with a process, and what is said about it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { findTurn } from '../../../src/domain/state/session.ts';
import { until } from '../../support/until.ts';
import { AgentWorld, type WorldOptions } from '../support/agent-world.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());
const open = async (options?: WorldOptions) => {
  world = await AgentWorld.open(options);
};
const files = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );

describe('a start', () => {
  test.each([
    ['without a program', { claudeCommand: ['/nonexistent/claude'] }, 'claude_not_found'],
    ['that ends at once', { env: { SIM_START: 'exit:3' } }, 'start_exited'],
    ['that hangs', { env: { SIM_START: 'hang' }, limits: { startMs: 1500 } }, 'start_timeout'],
  ] as const)('%s fails the message with a code and words', async (_title, options, code) => {
    await open(options);
    const turn = world.say('hello');
    expect(await world.next('prompt.failed')).toMatchObject({
      turn,
      code,
      retry: false,
      detail: expect.stringMatching(/\w/),
    });
    expect(world.of('agent.exited')).toMatchObject([{ failure: code }]);
    expect(world.agent.sessions()).toMatchObject([{ state: 'stopped', pid: undefined }]);
  });

  test('in a folder that does not exist names the folder', async () => {
    await open();
    world.say('hello', { launch: { cwd: '/nonexistent/folder' } });
    expect(await world.next('agent.exited')).toMatchObject({
      detail: expect.stringContaining('/nonexistent/folder'),
    });
  });

  test('that stops at the question of trust fails the message, presses nothing, and goes on when the operator answered', async () => {
    await open({ env: { SIM_DIALOG: 'trust' } });
    world.say('hello');
    expect(await world.next('prompt.failed')).toMatchObject({ code: 'folder_untrusted', retry: false });
    await atDialog('folder_untrusted');
    world.type('\x1b[B\r');
    await world.next('agent.ready');
    expect(await world.ask('hello again')).toContain('hello again');
    expect(world.of('agent.open')).toEqual([]);
  });

  test.each([
    ['apikey', '\r'],
    ['servers', '\x1b[B\r'],
  ])(
    'that stops at the dialog %s keeps the message, presses nothing, and tells when the operator answered',
    async (dialog, keys) => {
      await open({ env: { SIM_DIALOG: dialog } });
      const turn = world.say('hello');
      expect(await world.next('prompt.held')).toMatchObject({ turn, code: 'start_dialog' });
      await atDialog('start_dialog');
      expect(world.of('agent.open')).toEqual([]);
      world.type(keys);
      await world.next('agent.open');
      const told = world.reports.map(({ type }) => type);
      expect(told.indexOf('agent.open')).toBeGreaterThan(told.indexOf('agent.ready'));
      expect(findTurn(world.core.session('k'), turn)?.phase.name).toBe('delivering');
      // What the core asks for then.
      world.agent.deliver(world.session(), { turn, text: 'hello', attempt: 1, meta: {}, writer: 'alice' });
      expect((await world.next('turn.stopped')).text).toContain('hello');
      expect(world.of('prompt.failed')).toEqual([]);
      expect(world.of('agent.open')).toHaveLength(1);
    },
  );

  test('that no hook tells of, because of a setting, keeps the message until that is gone', async () => {
    await open({ env: { SIM_START: 'hang' }, limits: { startMs: 1500 } });
    const folder = join(world.root, 'home/.claude');
    mkdirSync(folder);
    const settings = join(folder, 'settings.json');
    writeFileSync(settings, JSON.stringify({ allowedHttpHookUrls: [] }));
    const turn = world.say('hello');
    expect(await world.next('prompt.held')).toMatchObject({
      turn,
      code: 'hooks_off',
      detail: expect.stringContaining(settings),
    });
    expect(world.agent.sessions()).toMatchObject([{ state: 'stopped' }]);
    expect(world.of('agent.open')).toEqual([]);
    writeFileSync(settings, '{}');
    await world.next('agent.open');
  });

  async function atDialog(code: string): Promise<void> {
    const { screen, failure } = await world.next('agent.dialog');
    expect(failure).toBe(code);
    expect(world.screen).toContain(screen.split('\n')[0]);
    expect(world.agent.sessions()).toMatchObject([{ state: 'dialog' }]);
  }

  test('asks for the channel without consent never, and says how to opt in', async () => {
    await open();
    await world.ask('hello');
    expect(world.of('agent.ready')[0]?.health).toMatchObject([
      { code: 'channel_unavailable', words: expect.stringContaining('channels.development') },
    ]);
    expect(world.of('agent.dialog')).toEqual([]);
  });

  test('whose channel Claude Code does not load falls back to typing', async () => {
    await open({ channels: { development: true }, env: { SIM_CHANNELS: 'off' } });
    await world.ask('hello');
    expect(world.of('agent.ready')).toMatchObject([
      { delivery: 'terminal', health: [{ code: 'channel_unavailable' }] },
    ]);
  });

  test('under an id that Claude Code does not know begins anew, and one that it knows resumes', async () => {
    await open();
    await world.ask('remember the zebra', { resume: true });
    world.agent.stop('k', 'rest');
    await world.next('agent.exited');
    expect(await world.ask('[[recall]]', { resume: false })).toContain('remember the zebra');
  });
});

describe('a process that', () => {
  test('is killed in a turn is told as a failure, and the next message starts another', async () => {
    await open();
    world.say('[[say:one|two]][[hang]]');
    await world.next('message.delta');
    process.kill(world.pid, 'SIGKILL');
    expect(await world.next('agent.exited')).toMatchObject({ failure: 'exited' });
    expect(await world.ask('again')).toContain('again');
  });

  test('the operator leaves with /exit ended in order', async () => {
    await open();
    await world.ask('hello');
    world.type('/exit');
    await world.shows('❯ /exit');
    world.type('\r');
    expect(await world.next('agent.exited')).not.toHaveProperty('failure');
  });

  test('does not end on /exit is ended by signals', async () => {
    await open({ limits: { stopMs: 500 } });
    world.say('[[say:one|two]][[hang]]');
    await world.next('message.delta');
    const { pid } = world;
    world.agent.stop('k', 'enough');
    expect(await world.next('agent.exited')).toMatchObject({ detail: 'enough' });
    expect(isRunning(pid)).toBe(false);
  });

  test('lost its channel server gets it back, and the message in between arrives', async () => {
    await open({ channels: { development: true } });
    await world.ask('hello');
    const { channelPid } = world;
    process.kill(channelPid, 'SIGKILL');
    expect(await world.ask('after the loss')).toContain('after the loss');
    expect(world.channelPid).not.toBe(channelPid);
  });

  describe('loses its channel server again and again', () => {
    /** Once more than it is started again. */
    const lastLoss = async () => {
      await open({ channels: { development: true } });
      await world.ask('hello');
      for (const loss of ['first', 'second', 'third']) {
        process.kill(world.channelPid, 'SIGKILL');
        expect(await world.ask(`after the ${loss} loss`)).toContain(`after the ${loss} loss`);
      }
    };
    const typedInstead = () =>
      expect(world.of('agent.ready').at(-1)).toMatchObject({
        delivery: 'terminal',
        health: [{ code: 'channel_unavailable', words: expect.stringContaining('typed into the terminal') }],
      });

    test('gets messages typed at last, and says so', async () => {
      await lastLoss();
      const { channelPid } = world;
      process.kill(channelPid, 'SIGKILL');
      await until('the loss to be seen', () => world.channelPid === 0 && !isRunning(channelPid));
      expect(await world.ask('after the last loss')).toContain('after the last loss');
      typedInstead();
      expect(world.of('prompt.failed')).toEqual([]);
    });

    test('has the message that was on its way tried again, and the next one typed', async () => {
      await lastLoss();
      const { channelPid } = world;
      // It takes the message off the socket no more, so that the loss comes behind it.
      process.kill(channelPid, 'SIGSTOP');
      const turn = world.say('into the void');
      await until('it is handed over', () => world.of('prompt.handing').at(-1)?.turn === turn);
      process.kill(channelPid, 'SIGKILL');
      expect(await world.next('prompt.failed')).toMatchObject({ turn, retry: true });
      expect(await world.ask('after the last loss')).toContain('after the last loss');
      typedInstead();
    });
  });
});

test('a message that the bridge itself cannot hand over fails in words, and the next one finds a new process', async () => {
  let faults = 1;
  const reported = async () => {
    if (world.of('prompt.handing').length > 0 && faults-- > 0) throw new Error('a fault of our own');
  };
  await open({ reported });
  const turn = world.say('hello');
  expect(await world.next('prompt.failed')).toMatchObject({
    turn,
    code: 'delivery_failed',
    detail: expect.stringContaining('a fault of our own'),
    retry: false,
  });
  expect(await world.ask('once more')).toContain('once more');
  expect(world.of('agent.exited')).toHaveLength(1);
});

describe('a prompt box', () => {
  const long = Array.from({ length: 1000 }, (_, row) => `row ${row} `.padEnd(99, 'and so on ')).join('\n');

  test('takes a text of 100 KB in 1,000 lines at once, and the next short one', async () => {
    await open();
    world.say(long);
    await world.next('prompt.taken');
    await world.next('turn.stopped', 1, 60_000);
    expect(await world.ask('hello')).toContain('hello');
    expect(world.of('prompt.failed')).toEqual([]);
  });

  test('that got stuck on a long text fails it once, and the next message finds a new process', async () => {
    await open({ env: { SIM_BOX_MOST: '50000' } });
    await world.ask('the word is zebra');
    const { pid } = world;
    const turn = world.say(long);
    expect(await world.next('prompt.failed')).toMatchObject({
      turn,
      code: 'delivery_failed',
      detail: expect.stringContaining('in 1000 lines'),
      retry: false,
    });
    expect(await world.ask('[[recall]]')).toContain('zebra');
    expect(world.pid).not.toBe(pid);
    expect(world.of('prompt.failed')).toHaveLength(1);
    expect(world.of('agent.exited')).toHaveLength(1);
  });

  test('that somebody else got stuck has a short message tried again in a new process', async () => {
    await open({ env: { SIM_BOX_MOST: '50' }, limits: { stopMs: 500 } });
    await world.ask('hello');
    const { pid } = world;
    world.type('y'.repeat(60));
    await world.shows('y'.repeat(60));
    world.say('once more');
    expect(await world.next('prompt.failed')).toMatchObject({ retry: true });
    expect(await world.ask('once more')).toContain('once more');
    expect(world.pid).not.toBe(pid);
  });
});

describe('live processes', () => {
  test('are at most as many as allowed: the idlest goes, and comes back with its next message', async () => {
    await open({ limits: { maxLive: 1 } });
    await world.ask('the first says zebra');
    const other = { key: 'other', claude: randomUUID(), resume: false };
    await world.ask('the second', other);
    expect(world.of('agent.exited')).toEqual([{ key: 'k', type: 'agent.exited', detail: 'idle' }]);
    expect(await world.ask('[[recall]]')).toContain('zebra');
  });

  test('that are all busy make a newcomer wait, and fail in words after its time', async () => {
    await open({ limits: { maxLive: 1, slotMs: 500 } });
    world.say('[[say:one|two]][[hang]]');
    await world.next('message.delta');
    world.say('no place', { key: 'other', claude: randomUUID(), resume: false });
    expect(await world.next('prompt.failed')).toMatchObject({ key: 'other', code: 'overflow' });
  });

  test('are not started for a message that was taken back while it waited for a place', async () => {
    await open({ limits: { maxLive: 1 } });
    world.say('[[say:one|two]][[hang]]');
    await world.next('message.delta');
    const old = { key: 'other', claude: randomUUID(), resume: false };
    world.say('of the old conversation', old);
    // By then it looks for a place.
    await setImmediate();
    world.agent.interrupt('other');
    world.agent.stop('other', 'a new conversation starts');
    const anew = { key: 'other', claude: randomUUID(), resume: false };
    const turn = world.say('of the new one', anew);
    world.agent.stop('k', 'enough');
    await until('its answer', () => world.of('turn.stopped').some(({ key }) => key === 'other'));
    expect(world.of('prompt.taken').at(-1)).toMatchObject({ key: 'other', turn });
    const named = (id: string) => files(world.root).filter((path) => path.includes(id));
    expect(named(anew.claude)).not.toEqual([]);
    expect(named(old.claude)).toEqual([]);
  });

  test('are ended when nobody has needed them for a while', async () => {
    await open({ limits: { idleMs: 300 } });
    await world.ask('hello');
    expect(await world.next('agent.exited')).toMatchObject({ detail: 'idle' });
  });

  test('are not ended while somebody looks at them', async () => {
    await open({ limits: { idleMs: 300 } });
    await world.ask('hello');
    const viewer = world.agent.view(
      'k',
      () => {},
      () => {},
    );
    const quiet = until('an end', () => world.of('agent.exited').length, 1500);
    await expect(quiet).rejects.toThrow('waited');
    viewer?.detach();
    await world.next('agent.exited');
  });

  test('end when the agent closes, and nothing starts after that', async () => {
    await open();
    await world.ask('hello');
    const { pid } = world;
    await world.agent.close();
    expect(isRunning(pid)).toBe(false);
    world.say('too late');
    expect(await world.next('prompt.failed')).toMatchObject({ code: 'shutting_down' });
  });
});

test('a hook with a foreign token is refused', async () => {
  await open();
  await world.ask('hello');
  const refused = await world.forge('StatusLine', { model: { display_name: 'a guess' } }, 'guess');
  expect(refused.status).toBe(401);
  await world.ask('hello again');
  expect(JSON.stringify(world.reports)).not.toContain('a guess');
});

test('the state directory holds nothing that others could read, and no key as a path', async () => {
  const umask = process.umask(0);
  try {
    await open();
    await world.ask('hello', { key: '../../escape' });
    const paths = files(world.stateDir);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const stat = statSync(path);
      expect([path, (stat.mode & 0o777).toString(8)]).toEqual([path, stat.isDirectory() ? '700' : '600']);
    }
  } finally {
    process.umask(umask);
  }
});

test('the token of a run is on no command line', async () => {
  await open();
  await world.ask('hello');
  const secret = world.token();
  expect(secret).toMatch(/^\S{40,}$/);
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
  expect(lines.some((line) => line.includes(world.claude))).toBe(true);
  expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});
