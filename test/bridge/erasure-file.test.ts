// What is still to be erased on the nats-servers, as it lies in the state folder.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ErasureFile } from '../../src/bridge/erasure-file.ts';
import { tempDir } from './journal/temp-dir.ts';

test('it is kept for the user alone, read by the next bridge, and gone with the last of it', () => {
  const dir = tempDir();
  const path = join(dir, 'erasures.json');
  const due = [{ session: 'agent:main:telegram:direct:1', forget: true }];
  expect(new ErasureFile(dir).load()).toEqual([]);
  new ErasureFile(dir).save(due);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(new ErasureFile(dir).load()).toEqual(due);
  new ErasureFile(dir).save([]);
  expect([existsSync(path), new ErasureFile(dir).load()]).toEqual([false, []]);
});

test.each(['', 'no JSON', '{"version":2,"due":[]}', '{"version":1,"due":[{"session":1}]}'])(
  '%j is not taken for an empty list',
  (text) => {
    const dir = tempDir();
    writeFileSync(join(dir, 'erasures.json'), text, { mode: 0o600 });
    expect(() => new ErasureFile(dir).load()).toThrow();
  },
);
