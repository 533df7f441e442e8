// Where sessions work, and in which modes: what `config set`, `up` and `doctor` judge alike.
import { expect, test } from 'vitest';
import { hashId } from '../../../src/base/digest.ts';
import { modeFindings } from '../../../src/bridge/setup/modes.ts';
import { sessionPlaces } from '../../../src/bridge/setup/session-places.ts';
import { workPlaces } from '../../../src/bridge/setup/work-places.ts';
import { Config } from '../../../src/protocol/settings/config.ts';

const places = (profiles: object[], cwd?: string) =>
  workPlaces(Config.parse({ profiles }), cwd).map(({ folder, whose }) => [folder, whose]);

test('every setting that names a folder is a place of its own: each has to be right', () => {
  const profiles = [
    { match: 'a*', cwd: 'sub' },
    { match: 'b*', model: 'haiku' },
    { match: 'c*', cwd: '/w' },
    { match: 'd*', cwd: '/w/sub' },
    { match: 'e*', cwd: '/elsewhere' },
  ];
  expect(places(profiles, '/w')).toEqual([
    ['/w', 'sessions (`cwd`)'],
    ['/w/sub', 'sessions of profile "a*" (`profiles.0.cwd`)'],
    ['/w', 'sessions of profile "c*" (`profiles.2.cwd`)'],
    ['/w/sub', 'sessions of profile "d*" (`profiles.3.cwd`)'],
    ['/elsewhere', 'sessions of profile "e*" (`profiles.4.cwd`)'],
  ]);
});

test('where only the start of a bridge tells the folder, what is relative to it is not judged', () => {
  const profiles = [
    { match: 'a*', cwd: 'sub' },
    { match: 'e*', cwd: '/elsewhere' },
  ];
  expect(places(profiles)).toEqual([['/elsewhere', 'sessions of profile "e*" (`profiles.1.cwd`)']]);
});

test('a folder that every session has another one for is nobody’s', () => {
  expect(places([{ match: '*', cwd: '/all' }], '/w')).toEqual([
    ['/all', 'sessions of profile "*" (`profiles.0.cwd`)'],
  ]);
});

test('conversations in other folders than the configured ones are named, each folder once', () => {
  const at = (key: string, cwd: string, removed = false) => ({
    key,
    removed,
    claude: {
      id: key,
      prompted: true,
      launch: { cwd, permissionMode: 'manual' as const, delivery: 'auto' as const },
    },
  });
  const sessions = [
    at('a', '/w'),
    at('b', '/old'),
    at('c', '/old'),
    at('d', '/gone', true),
    at('e', '/older'),
  ];
  const found = sessionPlaces(sessions, workPlaces(Config.parse({}), '/w'));
  expect(found.map(({ folder, whose }) => [folder, whose])).toEqual([
    ['/old', 'conversation b and 1 more'],
    ['/older', 'conversation e'],
  ]);
  expect(found[0]?.mend).toContain(`\`synthesis restart ${hashId('b', 12)}\``);
});

const someUser = { uid: 1000, env: {} };
const modes = (settings: object, user: Parameters<typeof modeFindings>[1] = someUser) =>
  modeFindings(Config.parse(settings), user).map(({ status, message }) => `${status}: ${message}`);

test('root cannot bypass permissions, unless it is in a sandbox', () => {
  const settings = { profiles: [{ match: 'ops:*', permissionMode: 'bypassPermissions' }] };
  const root = { uid: 0, env: {} };
  expect(modes(settings, root)).toEqual([
    expect.stringMatching(/^failed: .*as root: sessions of profile "ops:\*" get no answer/),
  ]);
  expect(modes(settings)).toEqual([]);
  expect(modes(settings, { uid: undefined, env: {} })).toEqual([]);
  expect(modes(settings, { ...root, env: { IS_SANDBOX: '1' } })).toEqual([]);
  expect(modes({ permissionMode: 'manual' }, root)).toEqual([]);
});

test('a rule that asks is refused by a mode that asks nobody: of all sessions, or of those it names', () => {
  const policy = [
    { tool: 'Read', decision: 'allow' },
    { tool: 'Bash', decision: 'ask' },
    { tool: 'Write', decision: 'deny' },
    { session: 'cron:*', tool: 'Edit', decision: { quorum: 2 } },
    { session: 'chat:*', tool: 'Edit', decision: 'operator' },
  ];
  const profiles = [{ match: 'cron:*', permissionMode: 'dontAsk' }];
  expect(modes({ policy, profiles })).toEqual([
    expect.stringMatching(
      /^warning: By rules 2, 4 of the policy .* sessions of profile "cron:\*" ask nobody/,
    ),
  ]);
  expect(modes({ policy })).toEqual([]);
  expect(modes({ profiles, policy: policy.slice(0, 1) })).toEqual([]);
});
