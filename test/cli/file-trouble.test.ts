import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimDirectory } from '../../src/base/files/own-path.ts';
import { fileTrouble } from '../../src/cli/file-trouble.ts';

/** As `node:fs` throws it. */
const thrown = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: words`), { code, syscall: 'open', ...(path && { path }) });

test.each([
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'its disk is full'],
  ['EACCES', 'you have no permission'],
])('a file that is refused with %s is named, with what is the matter and what to do', (code, why) => {
  const error = fileTrouble(thrown(code, '/state/bridge.log'));
  expect(error).toMatchObject({
    exit: 'failure',
    code: 'file_trouble',
    message: `/state/bridge.log cannot be used: ${why} (${code}).`,
    suggestion: expect.stringContaining('--state-dir'),
  });
  expect(fileTrouble(thrown(code))?.message).toBe(`A file cannot be used: ${why} (${code}).`);
});

test('what is our own fault stays one', () => {
  const fault = Object.assign(new Error('EROFS'), { code: 'EROFS' });
  for (const error of [new TypeError('x is undefined'), fault, thrown('EBADF'), 'EROFS', undefined])
    expect(fileTrouble(error)).toBeUndefined();
});

test('a state folder below a file is refused in words', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trouble-'));
  writeFileSync(join(dir, 'file'), '');
  const attempt = () => {
    try {
      return claimDirectory(join(dir, 'file/state'));
    } catch (error) {
      return fileTrouble(error)?.message;
    }
  };
  expect(attempt()).toMatch(/file.* cannot be used: something on the way there is no folder \(ENOTDIR\)\.$/);
  rmSync(dir, { recursive: true });
});
