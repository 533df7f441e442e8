// A disk that takes its time or fails under a bridge at work, and a journal that was damaged between two bridges: who hears of it, and how.
import { once } from 'node:events';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

test('a disk that fails is said to whoever reads, ends the bridge with 1, and costs nothing that was acknowledged', async () => {
  await using home = new Home();
  // Node would write its cache at the end, when nobody takes the signal for a write that is too far any more.
  const bridge = await home.up({ env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  expect(await bridge.ask('work', 'hello')).toContain('You said');
  const reading = bridge.client('work').chat.completions.stream({
    model: 'claude',
    messages: [{ role: 'user', content: '[[say:the beginning|of it]][[hang]]' }],
  });
  let text = '';
  reading.on('content', (delta) => {
    text += delta;
  });
  await until('the beginning', () => text.includes('the beginning'));
  // From here on every write of this process to a file is refused: EFBIG, which is no want of room.
  await execa('prlimit', ['--pid', String(bridge.child.pid), '--fsize=1']);
  bridge.says('other', 'a message that finds no disk');
  await reading.done().catch(() => {});
  expect(text).toContain("The disk of the bridge's machine failed");
  if (bridge.child.exitCode === null) await once(bridge.child, 'exit');
  expect(bridge.child.exitCode).toBe(1);
  expect(bridge.lines.at(-1)).toMatchObject({ event: 'stopped', failed: true });

  const next = await home.up();
  expect(next.at).toMatchObject({ notices: [] });
  expect(await next.ask('work', 'are you there?')).toContain('I remember 2 earlier messages');
});

test('rows that are gone are said by every form of up, ps, doctor, healthz and the log', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask('work', 'hello');
  await bridge.kill();
  truncateSync(join(home.state, 'journal.db-wal'), 8_192);
  const words = /rows? (?:is|are) gone/;
  const detached = await home.command('up', '--detach', '--port', '0');
  try {
    expect(detached.stderr).toMatch(words);
    expect((await home.command('ps')).stderr).toMatch(words);
    expect((await home.command('ps', '--check')).code).toBe(7);
    const doctor = await home.command('doctor', '--json');
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; message: string }[] };
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'journal_repaired', message: expect.stringMatching(words) }),
    );
    const { url } = JSON.parse(readFileSync(join(home.state, 'bridge.json'), 'utf8')) as { url: string };
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'degraded' });
    expect(readFileSync(join(home.state, 'bridge.log'), 'utf8')).toMatch(words);
  } finally {
    await home.command('down');
  }
});

test('while the disk takes its time only a new message waits: others are answered, and the bridge can be looked at', async () => {
  await using home = new Home();
  const hold = join(home.path, 'hold');
  const preload = join(import.meta.dirname, '../support/held-syncs.ts');
  const bridge = await home.up({ env: { NODE_OPTIONS: `--import=${preload}`, HELD_SYNCS: hold } });
  await bridge.ask('work', 'hello');
  writeFileSync(hold, '');
  let answered = false;
  const waiting = bridge.ask('other', 'a message that waits for the disk').finally(() => {
    answered = true;
  });
  try {
    await until('the message', async () => (await home.command('ps')).stdout.includes('other'));
    expect(await (await fetch(`${bridge.at.url}/healthz`)).json()).toEqual({ status: 'healthy' });
    expect(await home.command('ps', '--check')).toMatchObject({ code: 0 });
    expect(answered).toBe(false);
  } finally {
    rmSync(hold);
  }
  expect(await waiting).toContain('You said');
});
