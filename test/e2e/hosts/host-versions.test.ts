// A host of another release, which speaks nothing that this bridge does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOnDisk } from '../../../crash/history/evidence.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const program = resolve(import.meta.dirname, '../../../src/host/main.ts');

/** Loaded in front of a host: it is of a release that speaks version 3 alone. */
const ofAnotherRelease = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/protocol/wire/host.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace('readonly number[] = [2]', 'readonly number[] = [3]') };
  },
});
`;

test('a host that speaks no version of this bridge is ended in words, and its session goes on with a new Claude Code', async () => {
  await using home = new Home();
  const first = await home.up();
  await first.ask('s', 'hello');
  await first.kill();
  const sessions = join(home.state, 'sessions');
  const dir = join(sessions, readdirSync(sessions)[0] ?? '');
  const { run, socket } = JSON.parse(readFileSync(join(dir, 'host.json'), 'utf8')) as HostFile;
  await home.killHosts();

  const preload = join(home.path, 'another-release.mjs');
  writeFileSync(preload, ofAnotherRelease);
  const child = spawn(process.execPath, ['--import', preload, program], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const secret = readFileSync(join(home.state, 'secrets/hosts'), 'utf8').trim();
  child.stdin.end(JSON.stringify({ dir, run, socket, secret }));
  const isThere = () => readFileSync(join(dir, 'host.json'), 'utf8').includes(`"pid":${child.pid},`);
  await until('its file', isThere);
  const next = await home.up();
  expect(await ended).toEqual([null, 'SIGKILL']);
  await until('a word about it', () =>
    readFileSync(join(home.state, 'bridge.log'), 'utf8').includes('it is of another release'),
  );
  expect(await next.ask('s', 'again')).toContain('I remember 1 earlier');
  await next.end();
  const types = rowsOnDisk(home.state).map(({ event }) => event.type);
  expect(types.filter((type) => type === 'agent.ready')).toHaveLength(2);
  expect(types).not.toContain('agent.adopted');
});
