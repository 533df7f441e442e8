// A program whose files may not grow beyond what the shell allowed, until it lifts that itself: what a full disk is to
// a log. Prints what its log did.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { LogFile } from '../../../src/bridge/wiring/log/log-file.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

const [path = '', goesOn = ''] = process.argv.slice(2);
const clock = new ManualClock();
const missing = (lines: number, code: string) => `missing ${lines} ${code}\n`;
const log = new LogFile({ path, bytes: 1e9, files: 2, clock, missing });

let n = 0;
const writeLine = () => log.write(`${n++} ${'x'.repeat(500)}\n`);
await until('the disk to be full', () => {
  for (let each = 0; each < 20; each += 1) writeLine();
  return clock.timers > 0;
});
const full = statSync(path).size;
while (n < 5000) writeLine();
// Tried again, in vain.
clock.advance(1000);
await until('another try', () => clock.timers > 0);
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
if (goesOn === 'by itself') clock.advance(1000);
else log.write('after\n');
await until('what waited to be written', () => readFileSync(path, 'utf8').includes('missing'));
log.write('last\n');
await log.close();
log.write('closed\n');
process.stdout.write(JSON.stringify({ full }));
