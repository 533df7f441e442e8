// Claude's own screen, seen and driven through the bridge, with the real Claude Code.

import { resolve } from 'node:path';
import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import { connectBridge } from '../../src/cli/client/control-client.ts';
import type { RpcConnection } from '../../src/cli/client/rpc-connection.ts';
import { cellsOf, Pty } from '../support/pty.ts';
import { until } from '../support/until.ts';
import { stateDirOf } from './support/bridge.ts';
import { World } from './support/world.ts';

const program = resolve(import.meta.dirname, '../../bin/synthesis.js');
const claude = { cols: 120, rows: 40 };
/** One row more, for the status line. */
const fits = { cols: 120, rows: 41 };

function attach(world: World, size: { cols: number; rows: number }, ...args: string[]): Pty {
  const state = stateDirOf(world.home.path);
  const command = [process.execPath, program, 'attach', '--state-dir', state, 'walnut', ...args] as const;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: world.home.path,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  };
  return new Pty(command, { cwd: world.cwd, env, ...size });
}

/** Claude's own terminal: an emulator that has seen every byte since Claude Code began to draw. */
class OwnTerminal implements Disposable {
  readonly screen = new xterm.Terminal({ ...claude, allowProposedApi: true, scrollback: 0 });
  readonly #connection: RpcConnection;
  #joined = false;

  private constructor(connection: RpcConnection) {
    this.#connection = connection;
  }

  static async join(state: string): Promise<OwnTerminal> {
    const own = new OwnTerminal(await connectBridge(state));
    await until('the start of Claude', async () => {
      own.#call();
      await new Promise((wait) => setTimeout(wait, 10));
      return own.#joined;
    });
    return own;
  }

  #call(): void {
    if (this.#joined) return;
    const onNotification = (method: string, params: Record<string, unknown>) => {
      if (method === 'terminal.snapshot' && this.#joined) return;
      this.#joined = true;
      if (method === 'terminal.data' || method === 'terminal.snapshot')
        this.screen.write(String(params.data));
      if (method === 'terminal.resized') this.screen.resize(Number(params.cols), Number(params.rows));
    };
    const params = { session: 'walnut', ...claude, drive: false };
    this.#connection.call('terminal.attach', params, { onNotification }).catch(() => undefined);
  }

  cells(): string[][] {
    return cellsOf(this.screen, this.screen.rows);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
    this.screen.dispose();
  }
}

test('attach --terminal shows the same cells as Claude’s own terminal, before, while and after it works', async () => {
  await using world = await World.start('attach');
  world.api.on('draw', (answer) =>
    answer.text('# A heading\n\n- **bold** and `code`\n- 你好 🎉\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'),
  );
  const first = world.bridge.ask('walnut', 'draw something');
  using own = await OwnTerminal.join(stateDirOf(world.home.path));
  await first;
  await using viewer = attach(world, fits, '--terminal');
  await until('the answer on the screen', () => viewer.screen.includes('A heading'), 20_000);
  await until('the same cells', () => same(viewer, own), 30_000).catch(() => undefined);
  expect(viewer.cells(40)).toEqual(own.cells());
  expect(viewer.screen).toContain('你好');
  const second = world.bridge.ask('walnut', 'and something else');
  await until('the echo on the screen', () => viewer.screen.includes('echo:'), 20_000);
  await second;
  await until('the same cells', () => same(viewer, own), 30_000).catch(() => undefined);
  expect(viewer.cells(40)).toEqual(own.cells());
  await using late = attach(world, fits, '--terminal');
  await until('the same cells again', () => same(late, own), 30_000).catch(() => undefined);
  expect(late.cells(40)).toEqual(own.cells());
});

const same = (viewer: Pty, own: OwnTerminal) =>
  JSON.stringify(viewer.cells(40)) === JSON.stringify(own.cells());

test('--drive types a prompt that the real Claude Code answers', async () => {
  await using world = await World.start('drive');
  world.api.on('by hand', (answer) => answer.text('I read what you typed.'));
  await world.bridge.ask('walnut', 'hello');
  await using driver = attach(world, { cols: 100, rows: 31 }, '--drive');
  await until('the seat', () => driver.rows[30]?.includes('you type'), 20_000);
  await until('the prompt', () => driver.screen.includes('❯'), 10_000);
  driver.type('this was typed by hand');
  await until('the draft', () => driver.screen.includes('this was typed by hand'), 10_000);
  driver.type('\r');
  await until('the answer', () => driver.screen.includes('I read what you typed.'), 30_000);
  expect(world.api.turns.at(-1)?.newest).toContain('this was typed by hand');
  driver.type('\u0010\u0011');
  expect(await driver.exited()).toBe(0);
  expect(await world.bridge.ask('walnut', 'still there?')).toContain('echo:');
});

test('restart starts the real Claude Code without a message, and it remembers', async () => {
  await using world = await World.start('restart');
  world.api.on('which word', (answer, request) =>
    answer.text(
      request.userTexts.join(' ').includes('walnut tree') ? 'The walnut tree.' : 'I never heard one.',
    ),
  );
  await world.bridge.ask('walnut', 'the word is walnut tree');
  const [before] = JSON.parse(await world.bridge.command('ps', '--json'));
  await world.bridge.command('restart', 'walnut');
  const [after] = JSON.parse(await world.bridge.command('ps', '--json'));
  expect(after).toMatchObject({ state: 'idle', claude_session: before.claude_session });
  expect(after.pid).not.toBe(before.pid);
  expect(await world.bridge.ask('walnut', 'which word was it?')).toBe('The walnut tree.');
});
