// What a demo that was killed left is taken away by the next one, and nothing else is.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf } from '../../src/base/process/process-identity.ts';
import { makeDemoFolder, removeDeadDemos } from '../../src/demo/demo-folder.ts';

const { pid, started } = identityOf(process.pid);
const dead = spawnSync(process.execPath, ['--version']).pid;

test('the folders of dead demos go; of one that lives, a link, a file and what has another name stay', async () => {
  const temp = mkdtempSync(join(tmpdir(), 'temp-'));
  const own = makeDemoFolder();
  try {
    const gone = [`synthesis-demo-${dead}-1-abcdef`, `synthesis-demo-${dead}--Ab0dEf`];
    // Another process has that pid by now.
    const reused = `synthesis-demo-${pid}-${Number(started) + 1}-abcdef`;
    const lives = basename(own);
    const others = ['synthesis-demo-mine', `synthesis-demo-${dead}-1-abcdef.old`, 'synthesis-e2e-abcdef'];
    for (const name of [...gone, reused, lives, ...others]) {
      mkdirSync(join(temp, name, 'state'), { recursive: true });
      writeFileSync(join(temp, name, 'state', 'token'), '');
    }
    const link = `synthesis-demo-${dead}-1-linked`;
    symlinkSync(join(temp, 'synthesis-demo-mine'), join(temp, link));
    const file = `synthesis-demo-${dead}-1-aafile`;
    writeFileSync(join(temp, file), '');
    await removeDeadDemos(temp);
    expect(readdirSync(temp).sort()).toEqual([lives, ...others, link, file].sort());
    expect(readdirSync(join(temp, 'synthesis-demo-mine', 'state'))).toEqual(['token']);
  } finally {
    for (const folder of [temp, own]) rmSync(folder, { recursive: true, force: true });
  }
});
