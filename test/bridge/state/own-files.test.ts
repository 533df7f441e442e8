import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { denyRules } from '../../../src/bridge/claude/launch/own-file-rules.ts';
import { exposures, ownFiles } from '../../../src/bridge/own-files.ts';
import { stateFiles } from '../../../src/bridge/state-files.ts';
import { Config } from '../../../src/protocol/settings/config.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'own-')));
});
afterEach(() => rmSync(home, { recursive: true }));

const tokenFile = '/secrets/gateway.token';
const own = () =>
  ownFiles(
    join(home, '.local/state/synthesis'),
    join(home, '.config/synthesis/config.json'),
    Config.parse({
      agp: [{ url: 'wss://gateway.example', tokenFile }],
      openclaw: { gatewayUrl: 'http://127.0.0.1:1', tokenFile: join(home, 'openclaw.token') },
    }),
    { HOME: home },
  );

test('a working folder that holds, or lies in, what the bridge keeps is told, through links, too', () => {
  mkdirSync(join(home, 'work'));
  symlinkSync(home, join(home, 'work/everything'));
  const told = (...folders: string[]) => exposures(folders, own());
  const [state, config] = [own().stateDir, own().files[0]];
  const holds = `${home} holds the bridge's own files (${state}, ${config}, ${join(home, 'openclaw.token')})`;
  expect(told(home)).toEqual([holds]);
  expect(told(join(home, 'work/everything'), home)).toEqual([holds]);
  expect(told(state)).toEqual([`${state} holds the bridge's own files (${state})`]);
  expect(told(join(state, 'media'))).toEqual([`${join(state, 'media')} lies in the bridge's state folder`]);
  expect(told(join(home, '.config'))).toEqual([`${home}/.config holds the bridge's own files (${config})`]);
  expect(told('/secrets')).toEqual([`/secrets holds the bridge's own files (${tokenFile})`]);
  expect(told(join(home, 'work'), `${home}-beside`, join(home, '.local/state/synthesis-old'))).toEqual([]);
});

test.each([
  ['token', { tokenFile: '/secrets/nats.token' }],
  ['creds', { credsFile: '/secrets/nats.creds' }],
  ['key', { certFile: '/public/node.crt', keyFile: '/secrets/node.key' }],
])('the %s with which a node comes to the others is one of the files', (_, files) => {
  const cluster = { node: 'mac', servers: ['nats://127.0.0.1'], ...files };
  const secret = Object.values(files).at(-1);
  expect(ownFiles(home, undefined, Config.parse({ cluster }), { HOME: home }).files).toEqual([secret]);
});

test('the rules for Claude Code name everything but the pictures of messages, as it is spelled and as it is', () => {
  mkdirSync(join(home, 'state'));
  symlinkSync(join(home, 'state'), join(home, 'link'));
  const state = (dir: string) =>
    ['token', '*.*', 'sessions/**', 'locks/**', 'nats/**', 'run/**', 'secrets/**'].map(
      (name) => `${dir}/${name}`,
    );
  const paths = [...state(join(home, 'link')), ...state(join(home, 'state')), tokenFile];
  expect(denyRules(join(home, 'link'), [tokenFile])).toEqual(
    paths.flatMap((path) => [`Read(/${path})`, `Edit(/${path})`]),
  );
});

test('every file of the state folder is among those that Claude’s tools are denied', () => {
  const rules = denyRules('/s', []);
  const isIn = (name: string) => rules.includes(`Read(//s/${name.split('/')[0]}/**)`);
  const covers = (name: string) =>
    rules.includes(`Read(//s/${name})`) || (name.includes('/') ? isIn(name) : name.includes('.'));
  expect(rules).toContain('Read(//s/*.*)');
  expect(stateFiles.filter((name) => !covers(name))).toEqual([]);
  expect(stateFiles).toEqual(expect.arrayContaining(['token', 'tokens.json', 'tokens.used.json']));
});

test('what means something in a pattern is taken literally in a path', () => {
  expect(denyRules('/a (b) [c] {d} !e#*?\\', []).slice(0, 1)).toEqual([
    'Read(//a \\(b\\) \\[c\\] \\{d\\} \\!e\\#\\*\\?\\\\/token)',
  ]);
});
