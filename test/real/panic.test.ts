// Panic on the real Claude Code: it ends at once, in the middle of a turn too, with what an approved command has left
// behind; and its conversation goes on with the next message.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { Pty } from '../support/pty.ts';
import { until } from '../support/until.ts';
import { gate } from './support/gate.ts';
import { World } from './support/world.ts';

const program = resolve(import.meta.dirname, '../../bin/synthesis.js');
/** How often: `PANIC_STRIKES=10 npm run test:real -- test/real/panic.test.ts`. */
const strikes = Array.from({ length: Number(process.env.PANIC_STRIKES ?? 1) }, (_, at) => at);

/** A person lets work go on. */
async function resume(world: World): Promise<void> {
  await using pty = new Pty([process.execPath, program, 'resume', '-y', '--state-dir', world.stateDir], {
    cwd: world.cwd,
    env: { PATH: process.env.PATH ?? '', HOME: world.home.path },
    cols: 120,
    rows: 24,
  });
  await until(
    () => `the end of resume: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    20_000,
  );
  expect(pty.raw).toContain('Work goes on.');
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

test.each(strikes)(
  'a real Claude Code ends with what it left behind, and its conversation goes on (%i)',
  async () => {
    await using world = await World.start('panic');
    const held = gate();
    world.api.on('run ', (answer, { newest, toolResults }) => {
      const command = newest.slice(newest.indexOf('run ') + 4);
      if (toolResults.length > 0) answer.text('It was left.');
      else answer.tool('Bash', { command, description: 'Leave it' });
    });
    world.api.on('write on', async (answer) => {
      answer.text('The beginning.\n');
      await held.opened;
    });
    const beats = join(world.cwd, 'beats');
    const beat = `i=0; while [ \\$i -lt 600 ]; do i=\\$((i+1)); echo x >>${beats}; sleep 0.1; done`;
    const question = await world.bridge.ask(
      's',
      `run (env -i PATH="$PATH" setsid --fork sh -c "${beat}" >/dev/null 2>&1)`,
    );
    const code = /`yes ([a-km-z]{5})/.exec(question)?.[1] ?? '';
    expect(await world.bridge.ask('s', `yes ${code}`)).toContain('It was left.');
    await until('beats', () => sizeOf(beats) > 4, 20_000);
    const answer = world.bridge.ask('s', 'write on and on');
    await until('the turn', () => world.api.turns.some(({ newest }) => newest.includes('write on')), 20_000);

    const done = JSON.parse(await world.bridge.command('panic', '--json')) as {
      ended: { session: string; commands: string[] }[];
      alive: string[];
    };

    const size = sizeOf(beats);
    expect(done.alive).toEqual([]);
    expect(done.ended).toMatchObject([{ session: 's' }]);
    expect(done.ended[0]?.commands.join()).toMatch(/claude.*\bsh \(\d+\)/);
    expect(await answer).toContain('The operator stopped everything');
    await resume(world);
    expect(await world.bridge.ask('s', 'hello again')).toContain('hello again');
    held.open();
    const newest = JSON.stringify(world.api.turns.at(-1));
    expect(newest).toContain('It was left.');
    expect(sizeOf(beats)).toBe(size);
  },
);
