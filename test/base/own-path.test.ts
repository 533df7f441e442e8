// What is said of a folder that somebody else may have made, and that nothing of it is changed.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  claimDirectory,
  isClosedDirectory,
  lookAtDirectory,
  requireOurs,
  UnsafePathError,
} from '../../src/base/files/own-path.ts';
import { claimSocketPath, isSafeSocket } from '../../src/base/net/socket-path.ts';

let home: string;
let dir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'own-'));
  dir = join(home, 'dir');
});
afterEach(() => rmSync(home, { recursive: true }));

const mode = (path: string) => statSync(path).mode & 0o777;
const made = (bits: number) => {
  mkdirSync(dir);
  chmodSync(dir, bits);
};
const moveAway = 'Move it away, or choose another --state-dir.';
const unsafe = (words: string, suggestion = moveAway) =>
  expect.objectContaining({
    name: 'UnsafePathError',
    code: 'state_dir_unsafe',
    message: words,
    suggestion,
  });

describe('a folder', () => {
  test('that is missing is not there, and is made closed, with its parents', () => {
    const deep = join(dir, 'deep');
    expect([lookAtDirectory(deep), isClosedDirectory(deep)]).toEqual([undefined, false]);
    expect(claimDirectory(relative(process.cwd(), deep))).toBe(deep);
    expect([mode(dir), mode(deep), isClosedDirectory(deep)]).toEqual([0o700, 0o700, true]);
  });

  test.each([0o755, 0o710, 0o701, 0o770, 0o777, 0o600])('of mode %o is closed when it is claimed', (bits) => {
    made(bits);
    expect(lookAtDirectory(dir)).toBe(bits);
    expect(claimDirectory(dir)).toBe(dir);
    expect(mode(dir)).toBe(0o700);
  });

  test.each([0o755, 0o710, 0o701, 0o770, 0o777])(
    'of mode %o is named as open to others, and stays as it is until somebody has looked',
    (bits) => {
      made(bits);
      expect(() => isClosedDirectory(`${dir}/`)).toThrow(
        unsafe(
          `${dir} is open to others (0${bits.toString(8)}).`,
          `Look what is in it; \`chmod go= ${dir}\` closes it, or choose another --state-dir.`,
        ),
      );
      expect(mode(dir)).toBe(bits);
    },
  );

  test.each([0o700, 0o500])('of mode %o is closed', (bits) => {
    made(bits);
    expect(isClosedDirectory(dir)).toBe(true);
  });

  test('that is a link or a file is refused, also with a slash behind it', () => {
    made(0o755);
    const link = join(home, 'link');
    symlinkSync(dir, link);
    const file = join(home, 'file');
    writeFileSync(file, '');
    for (const use of [lookAtDirectory, isClosedDirectory, claimDirectory]) {
      for (const path of [link, `${link}/`])
        expect(() => use(path)).toThrow(unsafe(`${link} is a symbolic link.`));
      expect(() => use(file)).toThrow(unsafe(`${file} is not a directory.`));
    }
    expect(mode(dir)).toBe(0o755);
  });

  test('of another user is refused, and one’s own is not', () => {
    const stats = statSync(home);
    expect(() => requireOurs('/x', Object.assign(stats, { uid: stats.uid + 1 }))).toThrow(
      unsafe('/x belongs to another user.'),
    );
    expect(() => requireOurs(home, statSync(home))).not.toThrow();
    expect(new UnsafePathError('/x', 'is odd')).toMatchObject({ suggestion: moveAway });
  });
});

describe('a socket path', () => {
  test('is not safe where nothing is, and its folder is made for it', () => {
    const path = join(dir, 's');
    expect(isSafeSocket(path)).toBe(false);
    claimSocketPath(path);
    expect([mode(dir), isSafeSocket(path)]).toEqual([0o700, false]);
  });

  test('is safe where a socket of this user lies in a closed folder, and one that was left goes', async () => {
    made(0o700);
    const path = join(dir, 's');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(isSafeSocket(path)).toBe(true);
    chmodSync(dir, 0o755);
    for (const use of [isSafeSocket, claimSocketPath]) expect(() => use(path)).toThrow('is open to others');
    chmodSync(dir, 0o700);
    claimSocketPath(path);
    expect([existsSync(path), isSafeSocket(path)]).toEqual([false, false]);
    await new Promise((resolve) => server.close(resolve));
  });

  test('is not safe where a file lies, which is named and kept', () => {
    made(0o700);
    const path = join(dir, 's');
    writeFileSync(path, 'kept');
    for (const use of [claimSocketPath, isSafeSocket])
      expect(() => use(path)).toThrow(unsafe(`${path} is not a socket.`));
    symlinkSync(path, join(dir, 'l'));
    expect(() => isSafeSocket(join(dir, 'l'))).toThrow(unsafe(`${join(dir, 'l')} is a symbolic link.`));
  });
});

describe('on Windows', () => {
  beforeEach(() => platform('win32'));
  const real = process.platform;
  afterEach(() => platform(real));
  const platform = (value: string) => Object.defineProperty(process, 'platform', { value });

  test('modes say nothing, so a folder is looked at for what it is, and not changed', () => {
    expect(isClosedDirectory(dir)).toBe(false);
    made(0o755);
    expect([isClosedDirectory(dir), claimDirectory(dir), mode(dir)]).toEqual([true, dir, 0o755]);
  });

  test('a socket is a pipe, which lies in no folder', () => {
    const pipe = join(dir, 'pipe');
    claimSocketPath(pipe);
    expect([isSafeSocket(pipe), existsSync(dir)]).toEqual([true, false]);
  });
});

// Only root can give things away.
test.runIf(process.geteuid?.() === 0)('a folder, and a socket, of another user are refused', async () => {
  made(0o700);
  const path = join(dir, 's');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  chownSync(path, 12_345, 12_345);
  expect(() => claimSocketPath(path)).toThrow(unsafe(`${path} belongs to another user.`));
  expect(existsSync(path)).toBe(true);
  chownSync(dir, 12_345, 12_345);
  for (const use of [lookAtDirectory, isClosedDirectory, claimDirectory])
    expect(() => use(dir)).toThrow(unsafe(`${dir} belongs to another user.`));
  await new Promise((resolve) => server.close(resolve));
});
