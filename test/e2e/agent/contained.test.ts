// `contain`: what a session's Claude Code is started in, and what is said where it cannot be.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SessionRow } from '../../../src/domain/views/session/session-row.ts';
import { Home } from '../support/program.ts';

const key = 'ops:one';

class ConfiguredHome extends Home {
  async row(): Promise<SessionRow> {
    const [row] = JSON.parse((await this.command('ps', '--json')).stdout);
    return row;
  }

  /** Whether the Claude Code that runs was started by bubblewrap. */
  async isContained(): Promise<boolean> {
    const { pid } = await this.row();
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('--unshare-pid');
  }
}

test('a Claude Code that outlived its bridge does not go on outside of the wall that the next one wants', async () => {
  await using home = new ConfiguredHome();
  home.configure({});
  const first = await home.up();
  await first.ask(key, 'hello');
  const before = await home.row();
  expect([before.contain, await home.isContained()]).toEqual(['off', false]);
  await first.kill();

  home.configure({ profiles: [{ match: 'ops:*', contain: 'required' }] });
  const second = await home.up();
  expect(await second.ask(key, 'hello again')).toContain('I remember 1 earlier');
  const contained = await home.row();
  expect([contained.contain, contained.health, await home.isContained()]).toEqual(['required', [], true]);
  expect((await home.command('ps')).stdout).toContain(', contained');
  expect((await home.command('inspect', key)).stdout).toMatch(/^contained +required$/m);
  await second.kill();

  // It goes on under the next bridge, and stays where it is until the operator's restart.
  home.configure({});
  const third = await home.up();
  expect(await home.row()).toMatchObject({ pid: contained.pid, waits_for_restart: { contain: 'off' } });
  expect(await third.ask(key, 'and again')).toContain('I remember 2 earlier');
  expect((await home.command('restart', key)).code).toBe(0);
  expect([(await home.row()).contain, await home.isContained()]).toEqual(['off', false]);
});

test('where it cannot be, `required` starts nothing and `on` says that Claude Code runs as you', async () => {
  await using home = new ConfiguredHome();
  // Nothing in a folder that holds the home folder can be kept from what runs there.
  home.configure({
    contain: 'required',
    profiles: [
      { match: 'loose', contain: 'on', cwd: '/' },
      { match: '*', cwd: '/' },
    ],
  });
  const bridge = await home.up();
  const refused = await bridge.ask('strict', 'hello');
  expect(refused).toContain('This conversation requires a contained Claude Code');
  expect(refused).toContain('holds your home folder');
  expect(await bridge.ask('loose', 'hello')).toContain('hello');
  const rows: SessionRow[] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(rows.find((row) => row.key === 'strict')).toMatchObject({
    pid: null,
    failure: 'contain_unavailable',
  });
  expect(rows.find((row) => row.key === 'loose')).toMatchObject({
    contain: 'on',
    health: [expect.objectContaining({ code: 'contain_unavailable' })],
  });
  expect((await home.command('inspect', 'loose')).stdout).toMatch(
    /^contained +on !, but Claude Code runs as you$/m,
  );
  expect((await home.command('doctor')).stdout).toMatch(
    /contain +Sessions that are to be contained get no answer/,
  );
});
