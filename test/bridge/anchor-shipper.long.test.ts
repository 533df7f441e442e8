import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { runProgram } from '../../src/base/process/run-program.ts';
import { commandKey } from '../../src/bridge/journal/chain/key-source.ts';
import { AnchorShipper } from '../../src/bridge/wiring/journal/anchor-shipper.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { tempDir } from './journal/temp-dir.ts';

const node = (code: string) => [process.execPath, '-e', code];

function shipping(command: readonly string[], last: () => number) {
  const clock = new ManualClock();
  const anchor = () => `line ${last()}`;
  const shipper = new AnchorShipper({ command, everyMs: 1000, anchor, last, clock, log: silentLog });
  onTestFinished(() => shipper.close());
  return { clock, shipper };
}

test('the command gets each new anchor on its stdin, and none twice', async () => {
  const file = join(tempDir(), 'anchors');
  const append = `require('fs').appendFileSync(${JSON.stringify(file)}, require('fs').readFileSync(0))`;
  let last = 1;
  const { clock, shipper } = shipping(node(append), () => last);
  shipper.start();
  await until('the first', () => clock.timers === 1);
  clock.advance(1000);
  await until('a time without news', () => clock.timers === 1);
  last = 2;
  clock.advance(1000);
  await until('the second', () => clock.timers === 1);
  expect(readFileSync(file, 'utf8')).toBe('line 1\nline 2\n');
  expect(shipper.health).toEqual([]);
});

test('a command that fails is said until it works again', async () => {
  const { clock, shipper } = shipping(node('process.exit(3)'), () => 1);
  shipper.start();
  await until('the attempt', () => clock.timers === 1);
  expect(shipper.health[0]?.words).toContain('ended with exit code 3');
});

test('closing ends a command that hangs', async () => {
  const { clock, shipper } = shipping(node('setInterval(() => {}, 1000)'), () => 1);
  shipper.start();
  await shipper.close();
  expect(clock.timers).toBe(0);
});

test.each([
  ['is missing', ['/nowhere/at-all'], 'was not found'],
  ['fails', node('process.exit(4)'), 'exit code 4'],
  ['prints too much', node("process.stdout.write('x'.repeat(1e6))"), 'printed too much'],
  ['does not end', node('setInterval(() => {}, 1000)'), 'did not end within 0.3 s'],
])('a program that %s is told in words', async (_what, command, words) => {
  const result = await runProgram({ command, timeoutMs: words.includes('0.3') ? 300 : 20_000 });
  expect(result).toEqual({ ok: false, words: expect.stringContaining(words) });
});

test('a key command gives the same key each time; one that fails or prints too little gives none', async () => {
  const print = (text: string) => node(`process.stdout.write(${JSON.stringify(text)})`);
  const key = await commandKey(print(`${'k'.repeat(32)}\n`));
  expect((await commandKey(print('k'.repeat(32)))).id).toBe(key.id);
  expect((await commandKey(print('j'.repeat(32)))).id).not.toBe(key.id);
  await expect(commandKey(print('short'))).rejects.toMatchObject({ code: 'audit_key' });
  await expect(commandKey(node('process.exit(1)'))).rejects.toThrow('exit code 1');
});
