// A state folder that was open to others until now, with what they may have left in it.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnsafePathError } from '../../../src/base/files/own-path.ts';
import { startBridge } from '../../../src/bridge/main.ts';
import { mediaStore } from '../../../src/bridge/media-store.ts';
import { readRecord } from '../../../src/bridge/openclaw/install-record.ts';
import { stateFiles, stateFolders } from '../../../src/bridge/state-files.ts';
import { readBridgeFile } from '../../../src/cli/client/control-client.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { fifo, folder, hardLink, linkToFile, linkToFolder, linkToNothing } from '../../support/planted.ts';

let home: string;
let stateDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'planted-'));
  stateDir = join(home, 'state');
  mkdirSync(stateDir, { mode: 0o777 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const start = (settings: object = {}) =>
  startBridge({
    config: { ...Config.parse({ port: 0, delivery: 'terminal', ...settings }), cwd: join(home, 'work') },
    stateDir,
    controlPath: join(stateDir, 'control.sock'),
    version: 'test',
    env: { HOME: home },
    onRow: () => {},
  });

const plants = { linkToFile, linkToNothing, linkToFolder, hardLink, fifo, folder };
/** Opened where the configuration has the codes of an app for an operator secret. */
const ofSecret = ['secrets/totp', 'operator-proof.json'];
/** What `up` opens; the rest of the files is opened by other commands, in a cluster, or replaced. */
const others = ['bridge.json', 'up.log', 'openclaw.json', 'tokens.lock', 'erasures.json'];
const opened = stateFiles.filter((name) => ![...others, ...ofSecret].includes(name));

test.each(opened)(
  'no bridge starts over a %s that somebody planted, and what it leads to stays',
  async (name) => {
    for (const [kind, plant] of Object.entries(plants)) {
      const path = join(stateDir, name);
      mkdirSync(dirname(path), { recursive: true });
      const untouched = plant(path);
      await expect(start(), kind).rejects.toThrow(UnsafePathError);
      expect([kind, untouched()]).toEqual([kind, true]);
      rmSync(path, { recursive: true });
    }
  },
);

test.each(ofSecret)('no bridge takes codes by a %s that somebody planted', async (name) => {
  const file = join(stateDir, 'secrets/totp');
  for (const [kind, plant] of Object.entries(plants)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP\n', { mode: 0o600 });
    rmSync(join(stateDir, name), { force: true });
    const untouched = plant(join(stateDir, name));
    const started = start({ operator: { secret: { kind: 'totp', file } } });
    await expect(started, kind).rejects.toThrow(/cannot be read|safe|somebody/);
    expect([kind, untouched()]).toEqual([kind, true]);
    rmSync(join(stateDir, name), { recursive: true });
  }
});

test.each(stateFolders)('no bridge starts over a folder %s that is a link or a file', async (name) => {
  for (const plant of [linkToFolder, linkToNothing, fifo]) {
    const untouched = plant(join(stateDir, name));
    await expect(start()).rejects.toThrow(UnsafePathError);
    expect(untouched()).toBe(true);
    rmSync(join(stateDir, name));
  }
});

test.each(Object.entries({ linkToFile, linkToNothing, hardLink, fifo }))(
  'a bridge.json that is a %s is not believed, and the next bridge puts its own in the place',
  async (_, plant) => {
    const untouched = plant(join(stateDir, 'bridge.json'));
    expect(() => readBridgeFile(stateDir)).toThrow(UnsafePathError);
    const bridge = await start();
    try {
      expect(readBridgeFile(stateDir)).toMatchObject({ pid: process.pid, url: bridge.url });
      expect(plant === fifo || untouched()).toBe(true);
    } finally {
      await bridge.close('the test ends');
    }
  },
);

test('a bridge.json in a folder that others can write is not believed', async () => {
  const bridge = await start();
  try {
    expect(readBridgeFile(stateDir)).toMatchObject({ url: bridge.url });
    for (const mode of [0o777, 0o770, 0o755]) {
      chmodSync(stateDir, mode);
      expect(() => readBridgeFile(stateDir)).toThrow('is open to others');
    }
  } finally {
    await bridge.close('the test ends');
  }
});

test('what `uninstall` takes back is not read from a file that somebody planted', () => {
  for (const plant of [linkToFile, hardLink, fifo]) {
    plant(join(stateDir, 'openclaw.json'));
    expect(() => readRecord(stateDir)).toThrow(UnsafePathError);
    rmSync(join(stateDir, 'openclaw.json'));
  }
});

test('a picture is written in the place of a link with its name, and into no folder that is a link', () => {
  const save = mediaStore(stateDir);
  const path = save('a', Buffer.from('picture'), 'image/png');
  rmSync(path);
  const untouched = linkToFile(path);
  expect(save('a', Buffer.from('picture'), 'image/png')).toBe(path);
  expect([readFileSync(path, 'utf8'), untouched()]).toEqual(['picture', true]);
  rmSync(join(stateDir, 'media'), { recursive: true });
  linkToFolder(join(stateDir, 'media'));
  expect(() => save('a', Buffer.from('picture'), 'image/png')).toThrow('is a symbolic link');
});
