import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveOf, sealedRows } from './archived-rows.ts';

test('an archive is read by a process whose memory is much smaller', async () => {
  const segment = (await archiveOf(sealedRows(Array.from({ length: 250 }, (_, n) => `${n}`.repeat(100_000)))))
    .segments[0];
  const module = join(import.meta.dirname, '../../../../src/bridge/journal/archive/read-segment.ts');
  const script = `
    const { readSegment } = await import(process.argv[1]);
    let characters = 0;
    for await (const { body } of readSegment(process.argv[2])) characters += body.length;
    console.log(characters);`;
  const flags = ['--max-old-space-size=32', '--max-semi-space-size=1', '--input-type=module', '-e', script];
  const read = execFileSync(process.execPath, [...flags, '--', module, segment?.path ?? ''], {
    encoding: 'utf8',
  });
  expect(Number(read)).toBeGreaterThan(60 * 1024 * 1024);
});
