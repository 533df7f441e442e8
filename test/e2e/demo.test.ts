// The demo leaves nothing behind, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { Home } from './support/program.ts';

/** Processes whose environment names this folder: of the demo, its hosts and its simulated Claude Codes. */
const processesOf = (folder: string): number[] =>
  readdirSync('/proc').flatMap((pid) =>
    /^\d+$/.test(pid) && environment(pid).includes(folder) ? [Number(pid)] : [],
  );

function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** All but Node's own cache of code, which every program shares. */
const folders = (temp: string): string[] => readdirSync(temp).filter((name) => name !== 'node-compile-cache');

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s in the middle of it', async (signal) => {
  await using home = new Home();
  const temp = join(home.path, 'tmp');
  mkdirSync(temp);
  const [file, ...args] = home.argv('demo');
  const demo = spawn(file, args, { env: home.env({ TMPDIR: temp }), stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until('the first answer', () => /^claude: Good morning/m.test(said));
  expect(folders(temp)).toHaveLength(1);
  const ended = once(demo, 'exit');
  demo.kill(signal);
  // Once more, as somebody does who is in a hurry.
  demo.kill(signal);
  expect(await ended).toEqual([130, null]);
  expect(folders(temp)).toEqual([]);
  expect(said).toMatch(/Nothing of the demo stays\.\n$/);
  await until('the end of every process', () => processesOf(temp).length === 0);
});
