// A program that dies in the middle of mending a journal: at the n-th call that changes a name or syncs a file.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [dir = '', n = '1'] = process.argv.slice(2);
/** None before the program is loaded, which takes files, too. */
let left = Number.POSITIVE_INFINITY;

function dieAt<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };
}

fs.copyFileSync = dieAt(fs.copyFileSync);
fs.linkSync = dieAt(fs.linkSync);
fs.renameSync = dieAt(fs.renameSync);
fs.rmSync = dieAt(fs.rmSync);
fs.fsyncSync = dieAt(fs.fsyncSync);
fs.closeSync = dieAt(fs.closeSync);
syncBuiltinESMExports();

const { openJournal } = await import('../../../src/bridge/journal/start/open-journal.ts');
left = Number(n);
const { recovered } = openJournal({ dir });
process.stdout.write(JSON.stringify({ recovered }));
process.exit(0);
