import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../src/base/text/lines.ts';
import { refused } from '../../src/bridge/bridge-refusal.ts';
import { BridgeStartError } from '../../src/bridge/bridge-start-error.ts';
import { claudeCommand } from '../../src/bridge/claude-command.ts';
import { mediaStore } from '../../src/bridge/media-store.ts';
import { launchOptions, mayBeTakenOver, sharesMemory } from '../../src/bridge/profiles.ts';
import { claudeFindings } from '../../src/bridge/setup/programs.ts';
import { announceBridge, hostSecret, readHostSecret, withdrawBridge } from '../../src/bridge/state-files.ts';
import { bridgeToken } from '../../src/bridge/tokens/bridge-token.ts';
import { SnapshotNewerError } from '../../src/domain/state/snapshot.ts';
import { Config } from '../../src/protocol/settings/config.ts';

function inTempDir<T>(use: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'parts-'));
  try {
    return use(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('a state of a later release is a refusal in words, not a fault of the program', () => {
  expect(() => refused(new SnapshotNewerError('k', 2))).toThrow(BridgeStartError);
  expect(() => refused(new SnapshotNewerError('k', 2))).toThrow(
    expect.objectContaining({ code: 'journal_newer', suggestion: expect.stringMatching(/^Run the release/) }),
  );
  const fault = new Error('a fault');
  expect(() => refused(fault)).toThrow(fault);
});

describe('profiles', () => {
  const config = {
    ...Config.parse({
      permissionMode: 'manual',
      profiles: [
        { match: 'agent:coder:*', cwd: 'code', permissionMode: 'acceptEdits', model: 'opus' },
        { match: '*:telegram:*', delivery: 'terminal' },
        { match: 'a.c', cwd: '/elsewhere' },
      ],
    }),
    cwd: '/home/u',
  };

  test.each([
    [
      'agent:coder:main',
      {
        cwd: '/home/u/code',
        permissionMode: 'acceptEdits',
        permissionProfile: 'agent:coder:*',
        delivery: 'auto',
        model: 'opus',
      },
    ],
    ['agent:main:telegram:1', { cwd: '/home/u', permissionMode: 'manual', delivery: 'terminal' }],
    ['a.c', { cwd: '/elsewhere', permissionMode: 'manual', delivery: 'auto' }],
    ['abc', { cwd: '/home/u', permissionMode: 'manual', delivery: 'auto' }],
  ])('%s is started with what its first fitting profile says', (key, launch) => {
    expect(launchOptions(config, key)).toEqual(launch);
  });

  test('share a memory by a setting alone, which a profile may set otherwise', () => {
    const profiles = [
      { match: 'team:*', sharedMemory: true },
      { match: 'guest:*', sharedMemory: false },
    ];
    const shared = (settings: object) =>
      ['team:a', 'guest:a', 'else'].map((key) => sharesMemory(Config.parse({ profiles, ...settings }), key));
    expect(shared({})).toEqual([true, false, false]);
    expect(shared({ sharedMemory: true })).toEqual([true, false, true]);
  });
});

test('the token of the bridge is made once, is private, and survives restarts', () => {
  inTempDir((dir) => {
    const first = bridgeToken(dir);
    expect(bridgeToken(dir)).toEqual(first);
    expect((statSync(first.file).mode & 0o777).toString(8)).toBe('600');
    writeFileSync(first.file, 'garbage');
    expect(bridgeToken(dir).token).not.toBe('garbage');
  });
});

test('the secret of hosts is made once, is private, and is none when somebody spoilt it', () => {
  inTempDir((dir) => {
    expect(readHostSecret(dir)).toBeUndefined();
    mkdirSync(join(dir, 'secrets'), { mode: 0o700 });
    const file = join(dir, 'secrets/hosts');
    const first = hostSecret(dir);
    expect(Buffer.from(first, 'base64url')).toHaveLength(32);
    expect([hostSecret(dir), readHostSecret(dir)]).toEqual([first, first]);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    chmodSync(file, 0o644);
    expect(hostSecret(dir)).toBe(first);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    writeFileSync(file, 'garbage');
    expect(readHostSecret(dir)).toBeUndefined();
    expect(hostSecret(dir)).not.toBe(first);
  });
});

test('bridge.json says where the bridge is and goes with it; a link in its place is not followed', () => {
  inTempDir((dir) => {
    writeFileSync(join(dir, 'victim'), 'untouched');
    symlinkSync(join(dir, 'victim'), join(dir, 'bridge.json'));
    announceBridge(dir, { pid: 1, url: 'u', control: 'c', started_at: 't' });
    expect(JSON.parse(readFileSync(join(dir, 'bridge.json'), 'utf8'))).toMatchObject({
      pid: 1,
      control: 'c',
    });
    expect(readFileSync(join(dir, 'victim'), 'utf8')).toBe('untouched');
    withdrawBridge(dir);
    withdrawBridge(dir);
    expect(() => statSync(join(dir, 'bridge.json'))).toThrow('ENOENT');
  });
});

test('media is named by its content, so that a repeat is the same file', () => {
  inTempDir((dir) => {
    const save = mediaStore(dir);
    const path = save('a', Buffer.from('picture'), 'image/png');
    expect(path).toMatch(/[0-9a-f]{32}\.png$/);
    expect([save('a', Buffer.from('picture'), 'image/png'), readFileSync(path, 'utf8')]).toEqual([
      path,
      'picture',
    ]);
    expect(dirname(save('b', Buffer.from('picture'), 'image/png'))).not.toBe(dirname(path));
  });
});

test('a JavaScript file is run with this Node, anything else as it is', () => {
  expect(claudeCommand('/x/claude.js')).toEqual([process.execPath, '/x/claude.js']);
  expect(claudeCommand('claude')).toEqual(['claude']);
});

test('lines come out whole however the bytes are cut, and one beyond the limit is refused', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 7 }), (texts, size) => {
      const lines = texts.map((text) => `${text.replaceAll('\n', '')}.`);
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const splitter = new LineSplitter(1_000_000);
      const out: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        out.push(...splitter.push(bytes.subarray(at, at + size)));
      expect(out).toEqual(lines);
    }),
  );
  expect(() => new LineSplitter(10).push(Buffer.from('x'.repeat(11)))).toThrow(RangeError);
});

test('a Claude Code that is not there is said at the start, and one that is there is not', () => {
  const found = (claude: string, path: string) => claudeFindings(claude, path).map(({ message }) => message);
  expect(found('/nowhere/claude', '/usr/bin')).toEqual(['"/nowhere/claude" was not found.']);
  expect(found('/nowhere/claude.js', '')).toEqual(['"/nowhere/claude.js" was not found.']);
  expect(found('sh', '/usr/bin:/bin')).toEqual([]);
  expect(found('src/cli/main.ts', '')).toEqual([]);
});

test('another machine may go on with what no profile and no gateway keeps on this one', () => {
  const profiles = [
    { match: 'left-out', takeover: false },
    { match: 'taken-in', takeover: true },
    { match: 'pinned', node: 'mac', takeover: true },
  ];
  const cluster = { node: 'box', servers: ['nats://127.0.0.1:4222'] };
  const which = (more: object) => {
    const config = Config.parse({ profiles, ...more });
    return ['any', 'left-out', 'taken-in', 'pinned', 'agp:wechat:1'].filter((key) =>
      mayBeTakenOver(config, key),
    );
  };
  expect(which({})).toEqual([]);
  expect(which({ cluster })).toEqual(['taken-in']);
  expect(which({ cluster: { ...cluster, takeover: true } })).toEqual(['any', 'taken-in']);
});
