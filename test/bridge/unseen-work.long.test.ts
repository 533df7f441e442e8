// What panic names although it cannot tell whose it is. The programs that it asks are small ones that answer as the real ones.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookAt } from '../../src/base/process/process-table.ts';
import { unseenWork } from '../../src/bridge/unseen-work.ts';

let home: string;
let bin: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'synthesis-unseen-'));
  bin = join(home, 'bin');
  mkdirSync(bin);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A program that prints this. */
function program(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

const ask = (since: number) => unseenWork({ env: { PATH: bin, HOME: home }, since });

/** When this test began, seconds since the machine was started. */
const began = () => Number(lookAt(process.pid)?.started) / 100;

test('where no work could be handed to anybody nothing is claimed', async () => {
  expect(await ask(0)).toEqual([]);
});

test('only what is on this machine is named as what took work', async () => {
  program('ssh', 'exit 1');
  expect(await ask(0)).toEqual([
    'What Claude Code handed to ssh before goes on: nothing here can tell it from your own.',
  ]);
});

test('units, jobs and panes that began while a Claude Code lived are named, older ones and hosts are not', async () => {
  const [old, young] = [began() - 5, began() + 5].map((seconds) => Math.round(seconds * 1e6));
  program('systemd-run', 'exit 0');
  program(
    'systemctl',
    `/bin/cat <<'END'
Id=old.service
ActiveState=active
ActiveEnterTimestampMonotonic=${old}

Id=run-u12.service
ActiveState=active
ActiveEnterTimestampMonotonic=${young}

Id=gone.timer
ActiveState=inactive
ActiveEnterTimestampMonotonic=${young}

Id=synthesis-host-r1.scope
ActiveState=active
ActiveEnterTimestampMonotonic=${young}
END`,
  );
  program('at', 'exit 0');
  program('atq', `printf '3\\tSat Nov 28 23:00:00 2026 a op\\n'`);
  program(
    'tmux',
    `echo '${process.pid} work:0.1 (vim)'; echo '1 old:0.0 (sh)'; echo '999999999 gone:0.0 (sh)'`,
  );
  const words = await ask(began());
  expect(words).toEqual([
    'What Claude Code handed to at, systemd or tmux before goes on: nothing here can tell it from your own.',
    '1 unit of your systemd began while a Claude Code lived: run-u12.service. End what is not yours with `systemctl --user stop <unit>`.',
    '1 job of at waits: 3. End what is not yours with `atrm <job>`.',
    '1 pane of your tmux began while a Claude Code lived: work:0.1 (vim). End what is not yours with `tmux kill-pane -t <pane>`.',
  ]);
});

test('one that hangs is waited for no longer than a second', async () => {
  program('tmux', 'exec /bin/sleep 30');
  const start = performance.now();
  expect(await ask(0)).toHaveLength(1);
  expect(performance.now() - start).toBeLessThan(5_000);
});
